"""What the menu of a game of General Orders leads to besides: hints, pictures of the turns, a score, a bug report."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from companion.core.language import _
from companion.games.match import Match
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.orders.hints import Hints
from companion.scenes.review.evidence import EvidenceScene, ExportScene
from companion.scenes.story.presenter import Ways
from companion.scenes.table.score import PhotoScene
from companion.text.people import People
from companion.ui.screen import Button, Intent


class HintedTable(Scene, Protocol):
    """A table whose players may have hints."""

    hints: Hints

    @property
    def people(self) -> People:
        """Who plays."""

    def refresh(self) -> None:
        """Show what the position asks for now."""


def hints_way(table: HintedTable, back: Scene) -> tuple[Button, Callable[[], Scene]]:
    """Return the button for hints, which both players must agree to and either may switch off."""
    allowed = table.hints.allowed

    def turn_over() -> Scene:
        table.hints.allowed = not allowed
        table.refresh()
        return table

    def ask() -> Scene:
        asked = _("Hints in this game?"), _("The player to move can see three good moves, until you leave the game.")
        return ConsentScene(asked, table.people, turn_over, back)

    note = _("on in this game") if allowed else _("off unless both agree")
    button = Button(_("Hints"), Intent("hints"), "chosen" if allowed else "plain", "question", note)
    return button, turn_over if allowed else ask


def more_ways(stage: Stage, match: Match, back: Scene) -> Ways:
    """Return the buttons for photos, a score from a photo and a bug report, as far as they work here."""
    pictures = Button(_("Photos of the last turns"), Intent("evidence"), sign="camera")
    found: Ways = ((pictures, lambda: EvidenceScene(match, back)),)
    if (eye := stage.senses.eye) is not None:
        photo = Button(_("Score from a photo"), Intent("photo"), sign="points")
        found = (*found, (photo, lambda: PhotoScene(eye, (match.board, match), back)))
    if (export := stage.services.export) is not None:
        report = Button(_("Export for a bug report"), Intent("export"), sign="log")
        found = (*found, (report, lambda: ExportScene(partial(export, match), back)))
    return found
