"""Games of the two systems without a board, at a table with the plainest panel: for the scenes that they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from companion.core.language import _
from companion.core.storage import games_dir
from companion.demo.generals_player import GeneralsPlayer
from companion.demo.sonae_player import SonaePlayer
from companion.games.match import AnyMatch, GameSession
from companion.scenes.base.panels import Agree, Face, Offer, Panel, Reply, Why
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.generals.by_hand import WhoseScene
from companion.scenes.generals.presenter import GENERALS
from companion.scenes.generals.questions import questions as duel_questions
from companion.scenes.generals.score import DuelScoreScene
from companion.scenes.sonae.by_hand import ByHandScene
from companion.scenes.sonae.presenter import SONAE
from companion.scenes.sonae.questions import questions as battle_questions
from companion.scenes.sonae.score import BattleScore
from companion.scenes.story.presenter import ArgumentQuestion, SystemPresenter
from companion.scenes.table.table import TableScene
from companion.ui.screen import Button, Intent, Prompt
from engine.generals.game import rules as duel_rules
from engine.generals.steps import Attack
from engine.sonae.game import rules as battle_rules
from engine.sonae.position import Position as Battle
from engine.sonae.steps import Advance
from engine.systems import system_named
from tests.companion.other_games import BEGIN, NAMES
from tests.companion.touching import Hand

PRESENTERS: Mapping[str, SystemPresenter[Any, Any]] = {"sonae": SONAE, "generals": GENERALS}
REQUESTS: Mapping[str, Mapping[str, object]] = {
    system: {**begin, "players": NAMES[system]} for system, begin in BEGIN.items()
}
RULES = {"sonae": battle_rules, "generals": duel_rules}
BY_HAND: Mapping[str, Callable[[Any, Scene], Scene]] = {"sonae": ByHandScene, "generals": WhoseScene}
DETAILS: Mapping[str, Callable[[Any, Scene], Scene]] = {"sonae": BattleScore, "generals": DuelScoreScene}
QUESTIONS: Mapping[str, Callable[[Any, Scene], tuple[ArgumentQuestion, ...]]] = {
    "sonae": battle_questions,
    "generals": duel_questions,
}
MOST = 44
WHOLE = 5000  # more steps than any of their games has
PLAYERS: Mapping[str, Callable[[int], Any]] = {"sonae": SonaePlayer, "generals": GeneralsPlayer}


class PlainPanel:
    """Says whose turn it is, and offers one step."""

    def __init__(self, table: PlainTable) -> None:
        self.table = table

    def show(self) -> Face:
        """Show a prompt and a button."""
        prompt = Prompt(self.table.asked_side, self.table.presenter.title(self.table.position), _("a few words"))
        return Face((prompt,), (Button(_("Confirm"), Intent("do"), "primary"),))

    def touch(self, intent: Intent) -> Reply[Any]:
        """Take the step that the test has laid ready: done, asked about, or agreed on."""
        ways: Mapping[str, Callable[[Any], Reply[Any]]] = {"do": Offer, "why": Why, "agree": Agree}
        return ways[intent.verb](self.table.ready) if intent.verb in ways else None


class PlainTable(TableScene[Any, Any]):
    """A table with one panel. ready: the step that a touch does."""

    ready: Any = None

    def asked_for(self) -> Panel[Any]:
        """Return the only panel there is."""
        return PlainPanel(self)

    def straight(self, back: Scene) -> Scene:
        """As the system has it."""
        return BY_HAND[self.match.system.name](self, back)

    def details(self, back: Scene) -> Scene:
        """As the system has it."""
        return DETAILS[self.match.system.name](self, back)

    def questions(self, back: Scene, _seat: str) -> tuple[ArgumentQuestion, ...]:
        """As the system has them."""
        return QUESTIONS[self.match.system.name](self, back)


@cache
def steps_of(system: str, most: int) -> tuple[Any, ...]:
    """Return the first steps of a game that is played by itself."""
    rules = system_named(system)
    position, player = rules.new({"do": "new", **REQUESTS[system]}), PLAYERS[system](1)
    found: list[Any] = []
    while len(found) < most and (step := player.step(position)) is not None:
        position = rules.apply(position, step)
        found.append(step)
    return tuple(found)


def table_of(stage: Stage, home: Scene, system: str, steps: int = 0) -> PlainTable:
    """Return the table of a new game of a system with so many steps taken."""
    games_dir().mkdir(parents=True, exist_ok=True)
    match: AnyMatch = GameSession.begin(games_dir() / f"2026-11-21-{system}.jsonl", REQUESTS[system])
    assert all(match.offer(step).legal for step in steps_of(system, max(MOST, steps))[:steps])
    return PlainTable(stage, match, home, PRESENTERS[system])


def laid(hand: Hand, system: str, steps: int = 0) -> PlainTable:
    """Such a table on the stage of an app."""
    table = table_of(hand.app.stage, hand.app.scene, system, steps)
    hand.app.scene = hand.app.table = table
    return table


def refused(table: PlainTable) -> Any:
    """Return a step that the rules object to now."""
    position = table.position
    if isinstance(position, Battle):
        unit = position.units[0]
        step: Any = Advance(unit.name, unit.place.x + 4.0, unit.place.y + 4.0)
    else:
        step = Attack("nobody")
        fighters = position.sides[position.to_move].fighters
        if fighters:
            step = Attack(fighters[0].label)
    assert not table.match.judge(step).legal
    return step
