"""What another answer to an open question would change now: the same steps, judged under both answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, islice, pairwise
from typing import NamedTuple

from companion.core.language import _, plural
from companion.scenes.disputes.questions import as_mover
from companion.scenes.orders.aiming import attempt, in_reach, shot_at
from companion.text.orders import card_count, card_title, faction_name, join_words, space_title
from engine.orders import game
from engine.orders.board import Space
from engine.orders.mode import Card
from engine.orders.position import Position
from engine.orders.steps import Deploy

IN_HAND = frozenset({"card.held", "card.enough"})  # what is asked is the rule, whoever has the card


class ReadingChange(NamedTuple):
    """A step that one answer allows and the other does not: whose, where, by which card, and whether it opens."""

    faction: str
    space: str
    card: str
    opens: bool
    area: str


def effects(position: Position, reading: str) -> tuple[str, ...]:
    """Return sentences on what the answer not played now would change for either side; none if nothing."""
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
    """Yield one sentence for all areas of the same space and direction."""
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
    """Return whether the step is legal as far as these rules go; None if another rule forbids it."""
    broken = {objection.rule for objection in game.judge(position, step).objections} - IN_HAND
    return None if broken - rules else not broken


def _probes(position: Position, space: Space) -> Iterator[tuple[str, str, Deploy]]:
    """Yield (card, what the step is aimed at, step) for all that a reading can affect.

    That is targets, places, and places by a card.
    """
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
