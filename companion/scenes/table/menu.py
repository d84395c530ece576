"""What the menu of a game of General Orders has more than others; and something long to read."""

from __future__ import annotations

from functools import partial

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.scenes.review.evidence import EvidenceScene, ExportScene
from companion.scenes.story.presenter import OrdersTable, Ways
from companion.scenes.table.score_photo import PhotoScene
from companion.ui.screen import Button, Intent


def ways(table: OrdersTable, back: Scene) -> Ways:
    """The pictures of the turns, the score from one, and a bug report; only what can be done here and now."""
    match, stage = table.match, table.stage
    pictures = Button(_("Pictures of the last turns"), Intent("evidence"), sign="camera")
    found: Ways = ((pictures, lambda: EvidenceScene(match, back)),)
    if (eye := stage.senses.eye) is not None:
        photo = Button(_("Score from a picture"), Intent("photo"), sign="points")
        found = (*found, (photo, lambda: PhotoScene(eye, (match.board, match), back)))
    if (export := stage.services.export) is not None:
        report = Button(_("Export for a bug report"), Intent("export"), sign="log")
        found = (*found, (report, lambda: ExportScene(partial(export, match), back)))
    return found
