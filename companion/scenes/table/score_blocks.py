"""A score as blocks of a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.language import _
from companion.games.position_facts import supplied
from companion.scenes.base.map_picture import Overlay
from companion.text.people import People
from companion.text.score import leader, made_up, reasons, verdict
from companion.ui.screen import Block, Grid, Prompt, Tally, TallySide, Text
from engine.orders.position import Position
from engine.orders.score import score

if TYPE_CHECKING:
    pass


SHOWN = Overlay(supply=True, points=True)


def result(position: Position, people: People) -> tuple[Block, ...]:
    """Both sides' points, the winner and the reasons."""
    counted, winner = score(position), leader(position)
    sides = tuple(TallySide(one, people.name(one), counted.vp[one], one == winner) for one in people.factions)
    why = (*map(Text, reasons(position, people)), *(Text(text, "quiet") for text in made_up(position)))
    return Tally(sides), Prompt(winner, verdict(position, people)), *why


def areas(position: Position, people: People) -> tuple[Block, ...]:
    """A row for each area with points: to whom they go; and what nobody gets, and why."""
    counted = score(position).areas
    rows = [
        (_label(position, area.name, people), *(str(counted[one].get(area.name, "")) for one in people.factions))
        for area in position.board.areas
        if area.vp
    ]
    total = (_("Total"), *(str(sum(counted[one].values())) for one in people.factions))
    return (Grid((_("Area"), *map(people.name, people.factions)), (*rows, total)),)


def _label(position: Position, name: str, people: People) -> str:
    holder, vp = position.controller(name), position.board.area(name).vp
    label = f"{name} ({vp})"
    if len(position.units_in(name)) > 1:
        return _("{area}, contested").format(area=label)
    if holder is None:
        return _("{area}, nobody's").format(area=label)
    if not supplied(position, name):
        return _("{area}, {who} cut off").format(area=label, who=people.name(holder))
    return label
