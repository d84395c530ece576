"""What the command line prints of rulings, for people and as JSON, and what each system has it print of its games."""

from __future__ import annotations

from typing import Any, Protocol, cast

from companion.core.log import tell
from companion.games.journal import AnyJournal
from companion.systems.game_system import game_system, part
from companion.text.columns import count_text, ruling_text
from engine.ruling import Finding, Ruling


def notice(message: str | None) -> None:
    """Something to know, on standard error; nothing for None."""
    if message:
        tell("info", f"note: {message}")


def finding_json(finding: Finding) -> dict[str, Any]:
    """One criterion in the referee's form."""
    told = {"rule": finding.rule, "holds": finding.holds, "cite": str(finding.citation), "message": finding.message}
    return told | ({"reading": finding.reading} if finding.reading else {})


def ruling_json(number: int, ruling: Ruling) -> dict[str, Any]:
    """A ruling in the referee's form, with the step's number."""
    return {"step": number, "legal": ruling.legal, "rulings": [finding_json(one) for one in ruling.findings]}


def judged_text(number: int, sentence: str, ruling: Ruling) -> str:
    """A step in words with its verdict and everything that was looked at."""
    verdict = "legal" if ruling.legal else f"illegal, {count_text(len(ruling.objections), 'objection')}"
    lines = [f"step {number}: {sentence}: {verdict}", ruling_text(ruling)]
    return "\n".join(line for line in lines if line)


def kept_lines(journal: AnyJournal, number: int) -> list[str]:
    """Return the line that says why a step is kept though today's rules judge otherwise; none for any other step.

    number: the step's, counted from 1.
    """
    if number not in journal.kept:
        return []
    why = journal.system.judge(journal.positions[number - 1], journal.steps[number - 1]).objections[0]
    return [f"{'':6}  kept as it was recorded; today's rules wouldn't allow it: {why.message} ({why.citation})"]


class GameReport(Protocol):
    """What a system gives the terminal of its games."""

    def step_text(self, step: Any, before: Any) -> str:
        """A step in a sentence; before: the position it is taken in."""

    def game_text(self, journal: AnyJournal) -> str:
        """A saved game step by step, and how it stands at the end."""

    def score_text(self, position: Any) -> str:
        """How a position stands, on a few lines."""

    def score_json(self, position: Any) -> dict[str, Any]:
        """The same for programs."""

    def step_of(self, notation: str) -> Any:
        """The step that a line of notation means, EngineError for one that is none; None for all without notation."""
        del notation


def report_of(system: str) -> GameReport:
    """What a system gives."""
    return cast(GameReport, part(game_system(system).report))
