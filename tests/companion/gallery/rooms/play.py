"""The scenes that the two systems without a board share: each of a battle and of a card game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice

from companion.core import storage
from companion.scenes.base.rules import EntryScene, RulesScene
from companion.scenes.base.stage import Scene
from companion.scenes.disputes.dispute import DisputeScene, SettleScene
from companion.scenes.disputes.ruling import ReadingScene, ReadingsScene, RulingScene, question_of, ruling_on
from companion.scenes.review.log import LogScene, MomentScene, UndoScene
from companion.scenes.systems import table_of
from companion.scenes.table.game_menu import MenuScene, MoreMenuScene
from companion.ui.screen import Intent
from tests.companion.gallery.gallery import scene, scenes_after
from tests.companion.other_games import SYSTEMS, begun
from tests.companion.plain_tables import PlainTable, laid, refused
from tests.companion.touching import Hand

Make = Callable[[PlainTable], Scene]
NAMES = {"sonae": "battle", "generals": "duel"}
STEPS = {"sonae": 44, "generals": 30}


def of_both(name: str, make: Make) -> None:
    """Hang a scene of both systems: `log` as `log_of_a_battle` and `log_of_a_duel`."""
    for system in SYSTEMS:

        def hang(hand: Hand, system: str = system) -> None:
            hand.app.scene = make(laid(hand, system, STEPS[system]))

        hang.__name__ = f"{name}_of_a_{NAMES[system]}"
        scene(hang)


def why(table: PlainTable) -> Scene:
    """Return the ruling on a step that was taken, with every rule behind it."""
    number = next(n for n, step in enumerate(table.match.steps, 1) if type(step).__name__ in ("Advance", "Attack"))
    ruling = table.moment(number, table).touch(Intent("why"))
    assert isinstance(ruling, RulingScene)
    return ruling


def undone(table: PlainTable, steps: int) -> PlainTable:
    """Take back so many steps."""
    table.match.undo(steps)
    return table


def agreed_on(table: PlainTable) -> PlainTable:
    """Take something back, do something else, and agree on something."""
    agreed = undone(table, 1).presenter.settling_step(table.position, None, "as we said")
    assert agreed is not None
    table.match.offer(agreed)
    return table


def log(table: PlainTable) -> LogScene:
    return LogScene(table, table)


def question(table: PlainTable) -> Scene:
    name = next(name for name, reading in table.presenter.readings(table.position).items() if reading.other)
    return ReadingScene(table.presenter, name, table.position, table, table)


def section(table: PlainTable) -> Scene:
    library = table.library()
    entry = next(islice((entry for entry in library.contents() if entry.see), 2, None))
    return EntryScene(library, entry.key, table)


OF_BOTH: Mapping[str, Make] = {
    "table": lambda table: table,
    "ruling_no": lambda table: ruling_on(table, refused(table), table),
    "ruling_yes": why,
    "menu": lambda table: MenuScene(table.stage, table),
    "menu_more": lambda table: MoreMenuScene(table.stage, table, table),
    "log": log,
    "log_at_the_start": lambda table: log(undone(table, len(table.match.steps))),
    "log_taken_back": lambda table: log(agreed_on(table)),
    "moment": lambda table: MomentScene(table, len(table.match.steps) - 9, log(table)),
    "moment_start": lambda table: MomentScene(table, 0, log(table)),
    "undo_both": lambda table: UndoScene(undone(table, 7), table),
    "dispute_both": lambda table: DisputeScene(table.stage, table),
    "settle_refused": lambda table: SettleScene(table, question_of(table, table.position, refused(table)), table),
    "settle_note": lambda table: SettleScene(table, None, table),
    "open_questions": lambda table: ReadingsScene(table, table),
    "open_question": question,
    "rules_both": lambda table: RulesScene(table.library(), table),
    "rules_looked_up": lambda table: RulesScene(table.library(), table, "mele"),
    "rules_section": section,
}
for _name, _make in OF_BOTH.items():
    of_both(_name, _make)


def in_halves(touches: Callable[[PlainTable], tuple[Intent, Intent]]) -> None:
    """Hang a table whose halves have each opened something of their own, of both systems."""
    for system in SYSTEMS:

        def hang(hand: Hand, system: str = system) -> None:
            table = laid(hand, system, STEPS[system])
            table.ready = refused(table)
            hand.app.stage.settings = replace(hand.app.stage.settings, layout="two")
            for touch in touches(table):
                hand.app.touch(touch)

        hang.__name__ = f"{touches.__name__}_of_a_{NAMES[system]}"
        scene(hang)


@in_halves
def half_asking_why(table: PlainTable) -> tuple[Intent, Intent]:
    other = next(seat for seat in table.sides if seat != table.asked_side)
    return Intent("why", seat=table.asked_side), Intent("log", seat=other)


@in_halves
def half_arguing(table: PlainTable) -> tuple[Intent, Intent]:
    other = next(seat for seat in table.sides if seat != table.asked_side)
    return Intent("dispute", seat=table.asked_side), Intent("menu", seat=other)


# ---- what is around a table: the clock, the lock -----------------------------------------------------


def at(hand: Hand, system: str) -> None:
    """Put a game of the system on stage, its clock running."""
    app = hand.app
    app.stage.change(clock_minutes=10)
    match = begun(storage.games_dir() / "game.jsonl", system, steps=2)
    app.show_scene("", table_of(app.stage, match, app.home))
    app.tick(0.0)
    app.touch(Intent("clock"))
    app.tick(1.0)
    app.tick(76.0)


scenes_after(
    __name__,
    {
        "around_battle_clock": (lambda hand: at(hand, "sonae"),),
        "around_battle_locked": (lambda hand: at(hand, "sonae"), Intent("lock")),
        "around_duel_clock": (lambda hand: at(hand, "generals"),),
        "around_duel_locked": (lambda hand: at(hand, "generals"), Intent("lock")),
    },
)
