"""What the command line prints of rulings, for people and as JSON, and what each system has it print of its games."""

from __future__ import annotations

from typing import Any, Protocol

from companion.core.language import _, plural
from companion.core.log import tell
from companion.games.journal import AnyJournal
from companion.systems.game_system import Slot
from companion.text.columns import ruling_text
from engine.ruling import Finding, Ruling


def notice(message: str | None) -> None:
    """Print something to know on standard error; nothing for None."""
    if message:
        tell("info", _("note: {text}").format(text=message))


def finding_json(finding: Finding) -> dict[str, Any]:
    """Return one criterion in the referee's form."""
    told = {"rule": finding.rule, "holds": finding.holds, "cite": str(finding.citation), "message": finding.message}
    return told | ({"reading": finding.reading} if finding.reading else {})


def ruling_json(number: int, ruling: Ruling) -> dict[str, Any]:
    """Return a ruling in the referee's form, with the step's number."""
    return {"step": number, "legal": ruling.legal, "rulings": [finding_json(finding) for finding in ruling.findings]}


def judged_text(number: int, sentence: str, ruling: Ruling) -> str:
    """Describe a step with its verdict and everything that was examined."""
    against = len(ruling.objections)
    verdict = _("legal") if ruling.legal else plural("illegal, {n} objection", "illegal, {n} objections", against)
    head = _("step {n}: {step}: {verdict}").format(n=number, step=sentence, verdict=verdict)
    lines = [head, ruling_text(ruling)]
    return "\n".join(line for line in lines if line)


def kept_lines(journal: AnyJournal, number: int) -> list[str]:
    """Return the line that says why a step is kept though today's rules judge otherwise; none for any other step.

    number: the step's, counted from 1.
    """
    if number not in journal.kept:
        return []
    why = journal.system.judge(journal.positions[number - 1], journal.steps[number - 1]).objections[0]
    form = _("kept as it was recorded; today's rules wouldn't allow it: {why} ({cite})")
    return [f"{'':6}  {form.format(why=why.message, cite=why.citation)}"]


class GameReport(Protocol):
    """What a system gives the terminal of its games."""

    def step_text(self, step: Any, before: Any) -> str:
        """Describe a step in a sentence; before: the position it is taken in."""

    def game_text(self, journal: AnyJournal) -> str:
        """Describe a saved game step by step, and how it stands at the end."""

    def score_text(self, position: Any) -> str:
        """Describe how a position stands, on a few lines."""

    def score_json(self, position: Any) -> dict[str, Any]:
        """Return the score as JSON for other programs."""

    def step_of(self, _notation: str) -> Any:
        """Parse a line of notation; EngineError for one that means no step.

        None for all lines, where the system has no notation.
        """
        return None


REPORTS = Slot[GameReport]("report")
