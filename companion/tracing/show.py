"""The tracer as an app of its own: `gunbai trace PHOTO`."""

from __future__ import annotations

from pathlib import Path

from companion.app.app import App
from companion.content import boards
from companion.scenes.home.own_boards import OwnBoardsScene
from companion.scenes.trace.begin import CornersScene
from companion.settings.values import size_px
from companion.tracing.work import TraceWork


def show(work: TraceWork, size: str | None, output: Path | None) -> int:
    """Open the tracer on a screen until it is left; the board is copied to `output` where it was saved. 0."""
    from companion.view.window.window import run_window

    app = App()
    app.scene = CornersScene(work, OwnBoardsScene(None, app.home))
    status = run_window(app, size_px(size) if size else None)
    if output is not None and boards.path_of(work.draft.name).exists():
        boards.export(work.draft.name, output)
    return status
