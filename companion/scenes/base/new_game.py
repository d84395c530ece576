"""What the set-ups of a new game share: names, the way to other games, house rules for what the book leaves open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from companion.core.language import _, plural
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.text.orders import sentence
from companion.text.saved_games import system_title
from companion.ui.screen import Block, Button, Intent, Option, Options, Screen, Slip, Text, back_button
from engine.orders.board import Board
from engine.rulebook import Reading


class HouseSetUp(Protocol):
    """A new game of any system while it is set up. switched: names of the readings played by their other answer."""

    switched: frozenset[str]

    @property
    def readings(self) -> Mapping[str, Reading]:
        """The questions that its rules leave open, by name."""


def readings(board: Board, switched: frozenset[str]) -> tuple[Block, ...]:
    """List the readings of the board's mode: how this game answers what the rulebook leaves open."""
    return tuple(_slip(reading, name in switched) for name, reading in board.mode.readings.items())


def _slip(reading: Reading, other: bool) -> Slip:
    """Show a question, how it is played here, the other answer, and where the book leaves it open."""
    played, left = (reading.other, reading.default) if other else (reading.default, reading.other)
    lines = [_("You play: {text}").format(text=sentence(_(played)))]
    if left:
        form = _("Standard: {text}") if other else _("Alternative: {text}")
        lines.append(form.format(text=sentence(_(left))))
    return Slip(_(reading.question), "\n".join(lines), str(reading.citation), chosen=other)


def answers_summary(switched: frozenset[str]) -> str:
    """Say how many readings are played by their other answer."""
    if not switched:
        return _("standard rules")
    return plural("{n} changed", "{n} changed", len(switched))


class HouseRulesScene(BackScene):
    """The house rules: a pair of answers for each reading that has two; a touch chooses one."""

    def __init__(self, setup: HouseSetUp, back: Scene) -> None:
        super().__init__(back)
        self.setup = setup

    def show(self) -> Screen:
        """Show a pair of answers for each open question, the standard one on the left."""
        open_readings = [(name, reading) for name, reading in self.setup.readings.items() if reading.other]
        pairs = tuple(
            Options(
                _(reading.question),
                (self._option(name, reading.default, "default"), self._option(name, reading.other, "other")),
            )
            for name, reading in open_readings
        )
        quiet = Text(_("Where the rulebook is silent, choose how you play. Standard is on the left."), "quiet")
        done = back_button("primary")
        return Screen(title=_("House rules"), blocks=(quiet, *pairs), actions=(done,), page=self.page)

    def _option(self, name: str, text: str, answer: str) -> Option:
        chosen = (name in self.setup.switched) == (answer == "other")
        return Option(sentence(_(text)), Intent("answer", f"{name}/{answer}"), chosen)

    def touch(self, intent: Intent) -> Scene | None:
        """Choose an answer, turn the page, or go back to the new game."""
        if intent.verb == "answer":
            name, _slash, answer = intent.what.partition("/")
            self.setup.switched -= {name}
            if answer == "other":
                self.setup.switched |= {name}
        return super().touch(intent)


NAMES_SHOWN = 2
NAME_MOST = 18


def name_buttons(side: str, chosen: str, known: Iterable[str]) -> list[Button]:
    """Return buttons to choose a side's player by: a few known names, the chosen one among them, and the keyboard."""
    names = list(dict.fromkeys([*((chosen,) if chosen else ()), *known]))[:NAMES_SHOWN]
    buttons = [
        Button(name, Intent("name", f"{side}/{name}"), "chosen" if name == chosen else "plain")
        for name in sorted(names, key=str.casefold)
    ]
    return [*buttons, Button(_("New name") if names else _("Type a name"), Intent("type-name", side), "quiet")]


def with_people(request: dict[str, object], switched: frozenset[str], players: Mapping[str, str]) -> dict[str, object]:
    """Add the switched readings and the players' names, if any, to a system's `new` request, and return it."""
    if switched:
        request["readings"] = dict.fromkeys(sorted(switched), "other")
    named = {side: name for side, name in players.items() if name}
    return request | ({"players": named} if named else {})


GameChoice = Callable[[str, Scene], Scene]
"""Returns a system's set-up scene, or with "" the list of systems; the scene given is the one that Back leads to."""


def game_button(system: str) -> Button:
    """Make the button at the top of a set-up that leads to the other games."""
    return Button(system_title(system), Intent("games"), sign="castle", note=_("touch to change"))
