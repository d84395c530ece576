"""What the menu of a game of General Orders leads to besides: pictures of the turns, a score from one, a bug report."""

from __future__ import annotations

from functools import partial

from companion.core.language import _
from companion.games.match import Match
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.review.evidence import EvidenceScene, ExportScene
from companion.scenes.story.presenter import Ways
from companion.scenes.table.score_photo import PhotoScene
from companion.ui.screen import Button, Intent


def more_ways(stage: Stage, match: Match, back: Scene) -> Ways:
    """Only what can be done here and now."""
    pictures = Button(_("Photos of the last turns"), Intent("evidence"), sign="camera")
    found: Ways = ((pictures, lambda: EvidenceScene(match, back)),)
    if (eye := stage.senses.eye) is not None:
        photo = Button(_("Score from a photo"), Intent("photo"), sign="points")
        found = (*found, (photo, lambda: PhotoScene(eye, (match.board, match), back)))
    if (export := stage.services.export) is not None:
        report = Button(_("Export for a bug report"), Intent("export"), sign="log")
        found = (*found, (report, lambda: ExportScene(partial(export, match), back)))
    return found
