"""All about an area in an argument: whose it is, by what chain, what it counts, and who could do what there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.language import _, plural
from companion.scenes.disputes.questions import as_mover
from companion.scenes.disputes.reasons import chain_of
from companion.text.orders import faction_name, listed, space_title
from companion.ui.screen import MapPicture, Verdict
from engine.orders import game
from engine.orders.game import Offer
from engine.orders.position import Position
from engine.orders.supply import chains


def area_verdict(position: Position, area: str) -> Verdict:
    """Whose it is and whether it is in supply, with the chain in words."""
    holder = position.controller(area)
    if holder is None:
        contested = len(position.units_in(area)) > 1
        return Verdict(None, _("Both have units in {area}: a conflict.").format(area=area) if contested else
                       _("Nobody holds {area}.").format(area=area))  # fmt: skip
    way = chains(position)[holder][area]
    chain = chain_of(position, holder, area)
    if chain is not None and chain.gap:
        form = _("{who} holds {area}, but it is cut off.")
        return Verdict(False, form.format(who=faction_name(holder), area=area), _gap(position, way))
    text = _("{who} holds {area} and supplies it.").format(who=faction_name(holder), area=area)
    where = _("It is the headquarters.") if len(way) == 1 else _("Chain: {way}").format(way=" – ".join(way))
    return Verdict(True, text, where)


def _gap(position: Position, way: tuple[str, ...]) -> str:
    """Where the chain breaks, and who stands there."""
    holder = position.controller(way[-1])
    if holder is None:
        return _("The chain breaks at {gap}, which nobody holds.").format(gap=way[-1])
    form = _("The chain breaks at {gap}, which {who} holds.")
    return form.format(gap=way[-1], who=faction_name(holder))


def area_chain(picture: MapPicture, position: Position, area: str) -> MapPicture:
    """The map with the chain of whoever holds the area."""
    holder = position.controller(area)
    chain = chain_of(position, holder, area) if holder else None
    return replace(picture, chains=(chain,)) if chain else picture


def area_facts(position: Position, area: str) -> tuple[str, ...]:
    """Its points, and what either side could do to it in a turn of theirs."""
    told = [*_points(position, area)]
    if position.turn is not None and as_mover(position, position.to_move_name).turn is not None:
        return (*told, _("What either side can do here shows when this turn is over."))
    for faction in position.board.factions:
        ways = list(_ways(as_mover(position, faction), area))
        form = _("{who} could: {ways}.") if ways else _("{who} could do nothing here.")
        told.append(form.format(who=faction_name(faction), ways="; ".join(ways)))
    return tuple(told)


def _points(position: Position, area: str) -> Iterator[str]:
    vp, holder = position.board.area(area).vp, position.controller(area)
    if not vp:
        return
    points = plural("{n} point", "{n} points", vp)
    if holder is None:
        yield _("Worth {points}, for nobody now.").format(points=points)
        return
    chain = chain_of(position, holder, area)
    cut = chain is not None and chain.gap
    form = _("Worth {points}, not counted: it is cut off.") if cut else _("Worth {points}, counted for {who}.")
    yield form.format(points=points, who=faction_name(holder))


def _ways(position: Position, area: str) -> Iterator[str]:
    """What the faction to move may do into, at or from an area, without any card."""
    for name, offer in game.legal(position).spaces.items():
        space = position.board.space(name)
        told = _way(offer, space_title(space), area, linked=space.area == area)
        if told:
            yield told


def _way(offer: Offer, title: str, area: str, linked: bool) -> str:
    if linked and offer.sources:
        return _("{space} from {areas}").format(space=title, areas=listed(offer.sources))
    if area in offer.targets and offer.payload:
        dice = plural("up to {n} die", "up to {n} dice", offer.dice + offer.payload)
        return _("{space} with {dice}").format(space=title, dice=dice)
    if area in offer.targets and offer.dice:
        return _("{space} with {dice}").format(space=title, dice=plural("{n} die", "{n} dice", offer.dice))
    return title if area in (*offer.targets, *offer.areas) else ""
