"""The scenes that the two systems without a board share: each of a battle and of a card game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

from companion.app.app import App
from companion.core import storage
from companion.scenes.base.rules import EntryScene, RulesScene
from companion.scenes.base.stage import Scene
from companion.scenes.disputes.dispute import DisputeScene, SettleScene
from companion.scenes.disputes.ruling import ReadingScene, ReadingsScene, RulingScene, question_of, ruling_on
from companion.scenes.review.log import LogScene, MomentScene, UndoScene
from companion.scenes.systems import table_of
from companion.scenes.table.game_menu import MenuScene, MoreMenuScene
from companion.ui.screen import Intent
from tests.companion.gallery.gallery import scene
from tests.companion.other_games import begun
from tests.companion.plain_tables import SYSTEMS, PlainTable, laid, refused
from tests.companion.touching import Hand

Make = Callable[[PlainTable], Scene]
NAMES = {"sonae": "battle", "generals": "duel"}
STEPS = {"sonae": 44, "generals": 30}


def of_both(make: Make) -> Make:
    """Hang a scene of both systems: `log` as `log_of_a_battle` and `log_of_a_duel`."""
    for system in SYSTEMS:

        def hang(hand: Hand, system: str = system) -> None:
            hand.app.scene = make(laid(hand, system, STEPS[system]))

        hang.__name__ = f"{make.__name__}_of_a_{NAMES[system]}"
        scene(hang)
    return make


@of_both
def table(table: PlainTable) -> Scene:
    return table


@of_both
def ruling_no(table: PlainTable) -> Scene:
    return ruling_on(table, refused(table), table)


@of_both
def ruling_yes(table: PlainTable) -> Scene:
    """Return the ruling on a step that was taken, with every rule behind it."""
    number = next(n for n, step in enumerate(table.match.steps, 1) if type(step).__name__ in ("Advance", "Attack"))
    why = table.moment(number, table).touch(Intent("why"))
    assert isinstance(why, RulingScene)
    return why


@of_both
def menu(table: PlainTable) -> Scene:
    return MenuScene(table.stage, table)


@of_both
def menu_more(table: PlainTable) -> Scene:
    return MoreMenuScene(table.stage, table, table)


@of_both
def log(table: PlainTable) -> Scene:
    return LogScene(table, table)


@of_both
def log_at_the_start(table: PlainTable) -> Scene:
    table.match.undo(len(table.match.steps))
    return LogScene(table, table)


@of_both
def log_taken_back(table: PlainTable) -> Scene:
    """Something was taken back, something else done, and something agreed on."""
    table.match.undo(1)
    agreed = table.presenter.settling_step(table.position, None, "as we said")
    assert agreed is not None
    table.match.offer(agreed)
    return LogScene(table, table)


@of_both
def moment(table: PlainTable) -> Scene:
    return MomentScene(table, len(table.match.steps) - 9, LogScene(table, table))


@of_both
def moment_start(table: PlainTable) -> Scene:
    return MomentScene(table, 0, LogScene(table, table))


@of_both
def undo_both(table: PlainTable) -> Scene:
    table.match.undo(7)
    return UndoScene(table, table)


@of_both
def dispute_both(table: PlainTable) -> Scene:
    return DisputeScene(table.stage, table)


@of_both
def settle_refused(table: PlainTable) -> Scene:
    return SettleScene(table, question_of(table, table.position, refused(table)), table)


@of_both
def settle_note(table: PlainTable) -> Scene:
    return SettleScene(table, None, table)


@of_both
def open_questions(table: PlainTable) -> Scene:
    return ReadingsScene(table, table)


@of_both
def open_question(table: PlainTable) -> Scene:
    name = next(name for name, reading in table.presenter.readings(table.position).items() if reading.other)
    return ReadingScene(table.presenter, name, table.position, table, table)


@of_both
def rules_both(table: PlainTable) -> Scene:
    return RulesScene(table.library(), table)


@of_both
def rules_looked_up(table: PlainTable) -> Scene:
    return RulesScene(table.library(), table, "mele")


@of_both
def rules_section(table: PlainTable) -> Scene:
    library = table.library()
    entry = next(islice((entry for entry in library.contents() if entry.see), 2, None))
    return EntryScene(library, entry.key, table)


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


def at(hand: Hand, system: str) -> App:
    """Put a game of the system on stage, its clock running."""
    app = hand.app
    app.stage.change(clock_minutes=10)
    match = begun(storage.games_dir() / "game.jsonl", system, steps=2)
    app.show_scene("", table_of(app.stage, match, app.home))
    app.tick(0.0)
    app.touch(Intent("clock"))
    app.tick(1.0)
    app.tick(76.0)
    return app


@scene
def around_battle_clock(hand: Hand) -> None:
    at(hand, "sonae")


@scene
def around_duel_clock(hand: Hand) -> None:
    at(hand, "generals")


@scene
def around_battle_locked(hand: Hand) -> None:
    at(hand, "sonae").touch(Intent("lock"))


@scene
def around_duel_locked(hand: Hand) -> None:
    at(hand, "generals").touch(Intent("lock"))
