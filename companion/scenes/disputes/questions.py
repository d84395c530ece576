"""Questions about the rules as steps: for either side, with remedies, and under another answer to a reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, islice, pairwise
from typing import NamedTuple

from companion.core.language import _, plural
from companion.scenes.disputes.reasons import OrdersQuestion
from companion.scenes.orders.targeting import attempt, in_reach, recall_for, shot_at
from companion.scenes.story.presenter import RulesQuestion
from companion.text.orders import card_count, card_title, faction_name, join_words, sentence, space_title, unit_count
from engine.orders import game
from engine.orders.board import Space
from engine.orders.mode import Card
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass, Play, Step
from engine.orders.supply import chains
from engine.orders.turn import ready
from engine.ruling import Ruling

MOST_REMEDIES = 3
MOST_SPACES = 3
IN_HAND = frozenset({"card.held", "card.enough"})  # what is asked is the rule, whoever has the card


def as_mover(position: Position, faction: str) -> Position:
    """Return the position with this faction to move; unchanged if the turn in progress waits for more than cards."""
    here = ready(position, Pass())
    return replace(here, to_move=here.board.mode.faction_index[faction]) if here.turn is None else here


def space_question(position: Position, faction: str, name: str) -> OrdersQuestion:
    """Return the question of whether this faction may deploy to this space, with ruling and remedies."""
    here = as_mover(position, faction)
    space = here.board.space(name)
    step = attempt(here, space)
    ruling = game.examine(here, step)
    question = _("{who}: {space}?").format(who=faction_name(faction), space=space_title(space))
    remedies = () if ruling.legal else space_remedies(here, step, ruling)
    return RulesQuestion(question, here, ruling, step, preface(position, faction), remedies)


def preface(position: Position, faction: str) -> str:
    """Return a note that it is the other faction's turn, or ""."""
    here = ready(position, Pass())
    if here.winner is not None or here.turn is not None or here.to_move_name == faction:
        return ""
    form = _("It's {other}'s turn. This is for {who}'s next turn, with the board as it is.")
    return form.format(other=faction_name(here.to_move_name), who=faction_name(faction))


# ---- cards ------------------------------------------------------------------------------------


def card_question(position: Position, faction: str, name: str) -> OrdersQuestion:
    """Return the question of whether this faction may play this card now, with ruling and remedies."""
    card = position.board.mode.cards[name]
    question = _("{who}: {card}?").format(who=faction_name(faction), card=card_title(position.board, name))
    step = card_step(position, faction, card)
    ruling = game.examine(position, step)
    remedies = () if ruling.legal else card_remedies(position, faction, card)
    return RulesQuestion(question, position, ruling, step, sentence(_(card.text)), remedies)


def card_step(position: Position, faction: str, card: Card) -> Play:
    """Return the play of a card that is probably meant: if it needs an area, in the first one that is legal."""
    plain = Play(card.name, faction)
    if card.verb not in ("again", "place"):
        return plain
    for area in position.board.areas:
        if card.verb == "again":
            step = replace(plain, target=area.name)
        else:
            step = replace(plain, place=((area.name, card.unit, 1),))
        if game.judge(position, step).legal:
            return step
    return plain


# ---- what would turn a no into a yes: each is tried before it is told ----------------------------


def remedies(position: Position, step: Step, ruling: Ruling) -> tuple[str, ...]:
    """Return what would make a refused step legal, in sentences; empty if that can't be told."""
    if ruling.legal:
        return ()
    if isinstance(step, Deploy) and step.space in position.board.space_index:
        return space_remedies(position, step, ruling)
    if isinstance(step, Play) and step.card in position.board.mode.cards and step.by in position.board.factions:
        return card_remedies(position, step.by, position.board.mode.cards[step.card])
    return ()


def space_remedies(position: Position, step: Deploy, ruling: Ruling) -> tuple[str, ...]:
    """Return MOST_REMEDIES sentences at most on what would allow the deployment or is legal instead; none mid-turn."""
    if position.turn is not None or position.winner is not None:
        return ()
    broken = {objection.rule for objection in ruling.objections}
    found = (
        *_by_card(position, step),
        *_next_round(position, step),
        *_by_supply(position, step, broken),
        *_by_recall(position, step, broken),
        *_by_unit(position, step),
        *_from_here(position, step, broken),
        *_elsewhere(position, step),
    )
    return tuple(islice(found, MOST_REMEDIES))


def _by_card(position: Position, step: Deploy) -> Iterator[str]:
    """Yield a sentence for each card that would allow the step, if the mover has or may have it."""
    for card in position.board.mode.cards.values():
        if game.judge(position, replace(step, cards=(card.name,))).legal:
            form = _("Allowed with {card}.")
            yield form.format(card=card_title(position.board, card.name))


def _next_round(position: Position, step: Deploy) -> Iterator[str]:
    """Yield a sentence if only the lack of commanders forbids the step, as they come back next round."""
    mode = position.board.mode
    fresh = replace(
        position, commanders=(0, 0), commanders_left=(mode.commanders, mode.commanders), standby=(0, 0), spent=((), ())
    )
    if position.round < mode.rounds and game.judge(fresh, step).legal:
        yield _("Allowed next round, when the commanders are back.")


def _by_supply(position: Position, step: Deploy, broken: set[str]) -> Iterator[str]:
    """Yield a sentence for each cut supply chain whose gap, once closed, would allow the step."""
    linked = position.board.space(step.space).area
    places = [area for area, _unit, _n in step.moves] + ([linked] if linked else [])
    mover = position.to_move_name
    for area in places if any(rule.endswith("supply") for rule in broken) else ():
        way = chains(position)[mover].get(area, ())
        is_cut = way and position.controller(way[-1]) != mover
        if is_cut and game.judge(_with_unit(position, mover, way[-1]), step).legal:
            form = _("Allowed if {who} also controlled {gap}: then {area} would be in supply.")
            yield form.format(who=faction_name(mover), gap=way[-1], area=area)


def _by_unit(position: Position, step: Deploy) -> Iterator[str]:
    """Yield a sentence if a source lacks just one unit, so that one can leave and one stay."""
    mover = position.to_move_name
    board = position.board
    known = [load for load in step.moves if load[0] in board.area_index and load[1] in board.mode.unit_index]
    for area, unit, _n in known:
        if game.judge(_with_unit(position, mover, area, unit), step).legal:
            yield _("Allowed with one more unit in {area}: one has to stay.").format(area=area)
            return


def _by_recall(position: Position, step: Deploy, broken: set[str]) -> Iterator[str]:
    """Yield a sentence if recalling units from areas under control would fill a reserve that is too small."""
    if "reserve.short" not in broken:
        return
    loads = recall_for(position, step)
    if loads and game.judge(position, replace(step, recall=(*step.recall, *loads))).legal:
        units = [_("{units} from {area}").format(units=unit_count(unit, n), area=area) for area, unit, n in loads]
        yield _("Allowed if you first recall {units}.").format(units=join_words(units))


def _from_here(position: Position, step: Deploy, broken: set[str]) -> Iterator[str]:
    """Yield a sentence on what the space allows, if it is open and only this step there is refused."""
    offer = game.legal(position).spaces.get(step.space)
    if offer is None:
        return
    if offer.targets and step.target not in offer.targets:
        mover = position.to_move_name
        foes = [area for area in offer.targets if position.units_in(area).keys() - {mover}]
        yield _("From here you can target {areas}.").format(areas=join_words(foes or offer.targets))
    elif offer.sources:
        ways = [_("{area} (up to {n})").format(area=area, n=sum(most.values())) for area, most in offer.sources.items()]
        yield _("Units can come from {areas}.").format(areas=join_words(ways))
    elif offer.areas and any(rule.endswith(".area") for rule in broken):
        yield _("You can place units in {areas}.").format(areas=join_words(offer.areas))


def _elsewhere(position: Position, step: Deploy) -> Iterator[str]:
    """Yield a sentence that names the first few other spaces of the same action that are legal, if there are any."""
    board = position.board
    action = board.space(step.space).action
    spaces = [board.space(name) for name in game.legal(position).spaces if name != step.space]
    meant = (
        (space, replace(step, space=space.name) if space.area is None else attempt(position, space)) for space in spaces
    )
    titles = [space_title(space) for space, way in meant if space.action is action and game.judge(position, way).legal]
    if titles:
        form = _("{who} can: {spaces}.")
        yield form.format(who=faction_name(position.to_move_name), spaces=join_words(titles[:MOST_SPACES]))


def _with_unit(position: Position, faction: str, area: str, unit: str = "") -> Position:
    """Return the position with one more unit of the faction in an area, by default of the area's first kind.

    If the faction had no unit there, the enemy's units are removed.
    """
    board = position.board
    at, mine = board.area_index[area], board.mode.faction_index[faction]
    kind = board.mode.unit_index[unit] if unit else board.mode.kinds_on[board.areas[at].kind][0]
    added = faction in position.units_in(area)
    rows = [[list(row) for row in side] for side in position.units]
    if not added:
        for row in rows[1 - mine]:
            row[at] = 0
    rows[mine][kind][at] += 1
    return replace(position, units=tuple(tuple(map(tuple, side)) for side in rows))


def card_remedies(position: Position, faction: str, card: Card) -> tuple[str, ...]:
    """Return sentences on the deployments that the card can go with now, and on rerolls."""
    words = []
    spaces = _spaces_for(position, faction, card) if card.by == "mover" else []
    if spaces:
        titles = [space_title(position.board.space(name)) for name in spaces[:MOST_SPACES]]
        words.append(_("You can play it with: {spaces}.").format(spaces=join_words(titles)))
    return (*words, _("Any card can also be spent to reroll your dice."))


def _spaces_for(position: Position, faction: str, card: Card) -> list[str]:
    """Return the spaces that the faction may deploy to with this card in its turn."""
    if position.turn is not None or position.winner is not None:
        return []
    here = replace(position, to_move=position.board.mode.faction_index[faction])
    if card.verb != "share":
        legal = game.legal(here).spaces
        return [name for name in legal if position.board.space(name).action.name == card.action]
    spaces = [space for space in position.board.spaces if space.action.name == card.action]
    return [space.name for space in spaces if game.judge(here, replace(attempt(here, space), cards=(card.name,))).legal]


# ---- what another answer to an open question would change now ------------------------------------


class ReadingChange(NamedTuple):
    """A step that only one answer allows: whose, at which space, by which card.

    opens: whether it is the answer not played that allows it; area: the target, or the areas in words.
    """

    faction: str
    space: str
    card: str
    opens: bool
    area: str


def switch_effects(position: Position, reading: str) -> tuple[str, ...]:
    """Return sentences on what switching a reading to its other answer would change for either side now."""
    if position.winner is not None or position.turn is not None:
        return ()
    other = replace(position, readings=position.readings ^ {reading})
    lines: list[str] = []
    for faction in position.board.factions:
        before, after = as_mover(position, faction), as_mover(other, faction)
        lines += _sentences(list(_changes(before, after, reading)))
        lines += _draws(before, after)
    return tuple(lines)


def _sentences(changes: list[ReadingChange]) -> Iterator[str]:
    """Yield a sentence for each side, space and card, with all areas that open or close."""
    for (faction, space, card, opens), same in groupby(sorted(changes), key=lambda change: change[:4]):
        areas = join_words(dict.fromkeys(change.area for change in same))
        what = _("{space} with {card}").format(space=space, card=card) if card else space
        form = _("{who} could use {what} at {areas}.") if opens else _("{who} could no longer use {what} at {areas}.")
        yield form.format(who=faction_name(faction), what=what, areas=areas)


def _changes(before: Position, after: Position, reading: str) -> Iterator[ReadingChange]:
    rules = {rule.id for rule in before.board.mode.rules.values() if rule.reading == reading}
    for space in before.board.spaces:
        title = space_title(space)
        for card, area, step in _probes(before, space):
            was, will = (_stands(position, step, rules) for position in (before, after))
            if was is not None and will is not None and was != will:
                yield ReadingChange(before.to_move_name, title, card, will, area)


def _stands(position: Position, step: Deploy, rules: set[str]) -> bool | None:
    """Return whether these rules allow the step; None if another rule forbids it."""
    broken = {objection.rule for objection in game.judge(position, step).objections} - IN_HAND
    return None if broken - rules else not broken


def _probes(position: Position, space: Space) -> Iterator[tuple[str, str, Deploy]]:
    """Yield (card, areas, step) for the steps at a space that a reading can affect; "" for no card."""
    board = position.board
    if space.action.verb == "shoot":
        for area in in_reach(space, board.areas, board.area(space.area or "")):
            yield "", area.name, shot_at(space, area.name)
    if space.action.verb == "place":
        deployment = attempt(position, space)
        if deployment.place:
            due = space.amount_for(position.to_move_name)
            yield "", plural("fewer than {n} unit", "fewer than {n} units", due), deployment
        for card in board.mode.cards.values():
            if card.into_enemy and card.action == space.action.name:
                yield from _seizures(position, space, card)


def _seizures(position: Position, space: Space, card: Card) -> Iterator[tuple[str, str, Deploy]]:
    """Yield a seizure of each enemy water area by the card, and of the first two open ones together."""
    title = card_title(position.board, card.name)
    enemy = next(name for name in position.board.factions if name != position.to_move_name)
    waters = [area.name for area in position.board.areas if area.kind == space.action.kind]
    held = [name for name in waters if position.controller(name) == enemy]
    steps = {name: Deploy(space.name, place=((name, card.unit, 1),), cards=(card.name,)) for name in held}
    yield from ((title, name, step) for name, step in steps.items())
    open_now = [name for name, step in steps.items() if _stands(position, step, set())]
    for both in islice(pairwise(open_now), 1):
        place = tuple((name, card.unit, 1) for name in both)
        yield title, join_words(both), Deploy(space.name, place=place, cards=(card.name,))


def _draws(before: Position, after: Position) -> Iterator[str]:
    was, will = game.legal(before).spaces, game.legal(after).spaces
    for space in was.keys() & will.keys():
        if was[space].draw != will[space].draw:
            form = _("{who}: {space} would draw {n} instead of {m}.")
            yield form.format(
                who=faction_name(before.to_move_name), space=space_title(before.board.space(space)),
                n=card_count(will[space].draw), m=card_count(was[space].draw),
            )  # fmt: skip
