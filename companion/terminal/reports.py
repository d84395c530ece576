"""Prints rulings, as text and as JSON, and defines how each system's games are printed."""

from __future__ import annotations

from typing import Any, Protocol

from companion.core.language import _, plural
from companion.core.log import tell
from companion.games.journal import AnyJournal
from companion.systems.game_system import Slot
from companion.text.columns import ruling_text
from engine.ruling import Finding, Ruling


def notice(message: str | None) -> None:
    """Print a note on standard error; do nothing for None."""
    if message:
        tell("info", _("note: {text}").format(text=message))


def finding_json(finding: Finding) -> dict[str, Any]:
    """Return a finding in the form of the referee's answers."""
    told = {"rule": finding.rule, "holds": finding.holds, "cite": str(finding.citation), "message": finding.message}
    return told | ({"reading": finding.reading} if finding.reading else {})


def ruling_json(number: int, ruling: Ruling) -> dict[str, Any]:
    """Return a ruling, with the step's number, in the form of the referee's answers."""
    return {"step": number, "legal": ruling.legal, "rulings": [finding_json(finding) for finding in ruling.findings]}


def judged_text(number: int, sentence: str, ruling: Ruling) -> str:
    """Return a step's sentence with its verdict, then every criterion examined, as lines of text."""
    against = len(ruling.objections)
    verdict = _("legal") if ruling.legal else plural("illegal, {n} objection", "illegal, {n} objections", against)
    head = _("step {n}: {step}: {verdict}").format(n=number, step=sentence, verdict=verdict)
    lines = [head, ruling_text(ruling)]
    return "\n".join(line for line in lines if line)


def kept_lines(journal: AnyJournal, number: int) -> list[str]:
    """Return a line on why today's rules would refuse a step that is kept as recorded; [] for any other step.

    number: the step's, from 1.
    """
    if number not in journal.kept:
        return []
    why = journal.system.judge(journal.positions[number - 1], journal.steps[number - 1]).objections[0]
    form = _("kept as it was recorded; today's rules wouldn't allow it: {why} ({cite})")
    return [f"{'':6}  {form.format(why=why.message, cite=why.citation)}"]


class GameReport(Protocol):
    """How a system's steps, games and scores are printed on the terminal."""

    def step_text(self, step: Any, before: Any) -> str:
        """Return a sentence that describes a step; before: the position it is taken in."""

    def game_text(self, journal: AnyJournal) -> str:
        """Return a saved game as text, step by step, and how it stands at the end."""

    def score_text(self, position: Any) -> str:
        """Return how a position stands, as lines of text."""

    def score_json(self, position: Any) -> dict[str, Any]:
        """Return the score as JSON for other programs."""

    def step_of(self, _notation: str) -> Any:
        """Parse a step from a line of notation; EngineError if it is none.

        A system without a notation returns None for any line.
        """
        return None


REPORTS = Slot[GameReport]("report")
