"""Scenes of the tracer and of the shelf of owners' boards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.content.shelves import BOARDS
from companion.core.storage import data_dir
from companion.scenes.base.stage import Scene
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


def put(make: Callable[[Scene], Scene]) -> Callable[[Hand], None]:
    """Return what puts a scene that was opened from home on stage."""
    return lambda hand: setattr(hand.app, "scene", make(hand.app.home))


def grid(hand: Hand, sees: bool = True) -> None:
    """Look for the grid on an empty board."""
    with seeing(sees=sees):
        work = empty()
        hand.app.scene = found = GridScene(work, hand.app.home, hand.app.home)
        work.wait()
        found.tick(0.0)


@scene
def trace_card(hand: Hand) -> None:
    tracing = page(hand, "cards")
    hand.app.scene = OwnCardScene(tracing.work, "commandeer", tracing)


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
        "trace_which_board": (put(lambda home: ModeScene(None, home)),),
        "trace_source": (put(lambda home: SourceScene(("sengoku-rivers", "ana"), None, home)),),
        "trace_corners": (put(lambda home: TraceCornersScene(empty(), home)),),
        "trace_corner_held": ("trace_corners", Intent("corner", at=(0.11, 0.1))),
        "trace_hexes": (grid,),
        "trace_no_hexes": (lambda hand: grid(hand, sees=False), Intent("trace", n=2, at=(0.4, 0.4))),
        "trace_areas": (lambda hand: page(hand, "areas"),),
        "trace_closer": ("trace_areas", Intent("zoom")),
        "trace_points": (lambda hand: page(hand, "points"),),
        "trace_signs": (lambda hand: page(hand, "marks"),),
        "trace_zones": (lambda hand: page(hand, "zones", island()),),
        "trace_section": (
            "trace_zones",
            Intent("tool", "section/teal/"),
            Intent("trace", at=(0.7, 0.8)),
            Intent("trace", n=1, at=(0.9, 0.95)),
        ),
        "trace_start_units": (lambda hand: page(hand, "start", island()),),
        "trace_spaces": (lambda hand: page(hand, "spaces"),),
        "trace_under_the_finger": ("trace_spaces", Intent("trace", at=(0.3, 0.3))),
        "trace_support_board": (lambda hand: page(hand, "support"),),
        "trace_support_apart": (lambda hand: page(hand, "support", island()), Intent("differs")),
        "trace_cards": (lambda hand: page(hand, "cards"),),
        "trace_complete": (lambda hand: page(hand, "check"),),
        "trace_faults": (lambda hand: page(hand, "check", island()),),
        "own_boards_none": (put(lambda home: OwnBoardsScene(None, home)),),
    },
)
