"""Scenes of the tracer and of the shelf of owners' boards."""

from __future__ import annotations

from dataclasses import replace

from companion.content.shelves import BOARDS
from companion.core.storage import data_dir
from companion.scenes.home.own_boards import DraftScene, OneBoardScene, OwnBoardsScene
from companion.scenes.trace.begin import GridScene, ModeScene, SourceScene, TraceCornersScene
from companion.scenes.trace.numbers import OwnCardScene
from companion.scenes.trace.trace import SavedBoardScene, TraceScene
from companion.tracing.draft_file import save_draft
from companion.tracing.work import TraceWork
from companion.ui.screen import Intent
from tests.companion.gallery.gallery import scene, scenes_after
from tests.companion.touching import Hand
from tests.companion.tracing.photos import empty, island, rivers, seeing


def page(hand: Hand, name: str, work: TraceWork | None = None) -> TraceScene:
    home = hand.app.home
    tracing = TraceScene(work or rivers(), home, home)
    tracing._go(name)
    hand.app.scene = tracing
    return tracing


@scene
def trace_closer(hand: Hand) -> None:
    page(hand, "areas").touch(Intent("zoom"))


@scene
def trace_section(hand: Hand) -> None:
    tracing = page(hand, "zones", island())
    tracing.touch(Intent("tool", "section/teal/"))
    tracing.touch(Intent("trace", at=(0.7, 0.8)))
    tracing.touch(Intent("trace", n=1, at=(0.9, 0.95)))


@scene
def trace_under_the_finger(hand: Hand) -> None:
    page(hand, "spaces").touch(Intent("trace", at=(0.3, 0.3)))


@scene
def trace_support_apart(hand: Hand) -> None:
    page(hand, "support", island()).touch(Intent("differs"))


@scene
def trace_card(hand: Hand) -> None:
    tracing = page(hand, "cards")
    hand.app.scene = OwnCardScene(tracing.work, "commandeer", tracing)


@scene
def trace_corners(hand: Hand) -> None:
    hand.app.scene = TraceCornersScene(empty(), hand.app.home)


@scene
def trace_hexes(hand: Hand) -> None:
    with seeing():
        work = empty()
        hand.app.scene = grid = GridScene(work, hand.app.home, hand.app.home)
        work.wait()
        grid.tick(0.0)


@scene
def trace_no_hexes(hand: Hand) -> None:
    with seeing(sees=False):
        work = empty()
        hand.app.scene = grid = GridScene(work, hand.app.home, hand.app.home)
        work.wait()
        grid.tick(0.0)
        grid.touch(Intent("trace", n=2, at=(0.4, 0.4)))


@scene
def trace_which_board(hand: Hand) -> None:
    hand.app.scene = ModeScene(None, hand.app.home)


@scene
def trace_source(hand: Hand) -> None:
    hand.app.scene = SourceScene(("sengoku-rivers", "ana"), None, hand.app.home)


@scene
def own_boards_none(hand: Hand) -> None:
    hand.app.scene = OwnBoardsScene(None, hand.app.home)


@scene
def own_boards(hand: Hand) -> None:
    work = rivers()
    BOARDS.save(work.draft.name, work.text())
    save_draft(replace(work.draft, name="wwii-alpine-bob"))
    (BOARDS.folder() / "wwii-island-carl.toml").write_text("board = [")
    (data_dir() / "shared").mkdir()
    (data_dir() / "shared" / "sengoku-rivers-dora.toml").write_text(
        work.text().replace("sengoku-rivers-ana", "sengoku-rivers-dora")
    )
    hand.app.scene = OwnBoardsScene(None, hand.app.home)


@scene
def own_board(hand: Hand) -> None:
    board = BOARDS.save("sengoku-rivers-ana", rivers().text())
    hand.app.scene = OneBoardScene(board.name, hand.app.home)


@scene
def own_draft(hand: Hand) -> None:
    hand.app.scene = DraftScene("wwii-alpine-bob", hand.app.home)
    hand.press("Delete")


@scene
def trace_saved(hand: Hand) -> None:
    work = rivers()
    hand.app.scene = SavedBoardScene(work, work.save_board(), hand.app.home)


scenes_after(
    __name__,
    {
        "trace_areas": (lambda hand: page(hand, "areas"),),
        "trace_points": (lambda hand: page(hand, "points"),),
        "trace_signs": (lambda hand: page(hand, "marks"),),
        "trace_zones": (lambda hand: page(hand, "zones", island()),),
        "trace_start_units": (lambda hand: page(hand, "start", island()),),
        "trace_spaces": (lambda hand: page(hand, "spaces"),),
        "trace_support_board": (lambda hand: page(hand, "support"),),
        "trace_cards": (lambda hand: page(hand, "cards"),),
        "trace_complete": (lambda hand: page(hand, "check"),),
        "trace_faults": (lambda hand: page(hand, "check", island()),),
        "trace_corner_held": ("trace_corners", Intent("corner", at=(0.11, 0.1))),
    },
)
