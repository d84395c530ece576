"""What the menu of a game of General Orders has more than others; and something long to read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.language import _
from companion.scenes.evidence import EvidenceScene, ExportScene
from companion.scenes.play.menu import Ways
from companion.scenes.score_photo import PhotoScene
from companion.scenes.screen import Button, Intent
from companion.scenes.stage import Scene

if TYPE_CHECKING:
    from companion.scenes.match_table import MatchTable


def ways(table: MatchTable, back: Scene) -> Ways:
    """The pictures of the turns, the score from one, and a bug report; only what can be done here and now."""
    match, stage = table.match, table.stage
    pictures = Button(_("Pictures of the last turns"), Intent("evidence"), sign="camera")
    found: Ways = ((pictures, lambda: EvidenceScene(match, back)),)
    if (eye := stage.eye) is not None:
        photo = Button(_("Score from a picture"), Intent("photo"), sign="points")
        found = (*found, (photo, lambda: PhotoScene(eye, (match.board, match), back)))
    if (export := stage.export) is not None:
        report = Button(_("Export for a bug report"), Intent("export"), sign="log")
        found = (*found, (report, lambda: ExportScene(partial(export, match), back)))
    return found
