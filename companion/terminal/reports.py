"""What the command line prints of rulings and saved games: for people, and as JSON."""

from __future__ import annotations

from typing import Any

from companion.core.log import tell
from companion.games.journal import AnyJournal, OrdersJournal, of_orders
from companion.text.columns import counted, ruling_text
from engine.orders.describe import describe_step
from engine.orders.draft import told
from engine.orders.ending import HQ_LOST, VICTORY_POINTS
from engine.orders.game import owed, play
from engine.orders.position import Position
from engine.ruling import Finding, Ruling
from engine.system import System
from engine.systems import SYSTEMS
from intake.text import one_line

REASONS = {HQ_LOST: "the headquarters is lost", VICTORY_POINTS: "victory points"}

SAID_ALREADY = {"moved", "placed", "recalled", "rolled", "drew", "passed", "initiative"}
"""What happened that a step's own sentence tells."""


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
    verdict = "legal" if ruling.legal else f"illegal, {counted(len(ruling.objections), 'objection')}"
    lines = [f"step {number}: {sentence}: {verdict}", ruling_text(ruling)]
    return "\n".join(line for line in lines if line)


def step_text(system: System[Any, Any], step: Any, before: Any) -> str:
    """A step of any system in a sentence."""
    if system.name == SYSTEMS[0]:
        return one_line(describe_step(step, before))
    from companion.terminal import retold

    return retold.step_text(system.name, step, before)


def any_game_text(journal: AnyJournal) -> str:
    """A saved game of any system step by step."""
    if journal.system.name == SYSTEMS[0]:
        return game_text(of_orders(journal, ""))
    from companion.terminal import retold

    return retold.game_text(journal)


def game_text(journal: OrdersJournal) -> str:
    """A saved game step by step, each with what happened, and what is owed or won at the end."""
    lines = [_start_text(journal)]
    for number, step in enumerate(journal.steps, 1):
        before = journal.positions[number - 1]
        lines.append(f"{number:>4}  {one_line(describe_step(step, before))}")
        happened = (event for event in play(before, step)[1] if event.kind not in SAID_ALREADY)
        lines.extend(f"{'':6}  {told(before, event)}" for event in happened)
    return "\n".join([*lines, _end_text(journal.last)])


def _start_text(journal: OrdersJournal) -> str:
    start = journal.positions[0]
    tokens = ", ".join(f"{slot} {bonus}" for slot, bonus in journal.request.get("bonuses", {}).items())
    return f"{start.board.name}, {start.initiative_name} has the initiative, tokens: {tokens or 'none'}"


def _end_text(position: Position) -> str:
    if position.winner_name is not None:
        return f"{position.winner_name} wins ({REASONS.get(position.reason or '', position.reason)})"
    due = owed(position)
    now = f"{position.to_move_name} to move" if due is None else due.text
    return f"round {position.round}, {now}"
