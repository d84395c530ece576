"""Games of General Orders on the terminal: step by step, points with supply, and who wins."""

from __future__ import annotations

from typing import Any

from companion.core.language import _
from companion.games.journal import AnyJournal, of_orders
from companion.terminal.reports import GameReport, kept_lines
from companion.text.columns import columns
from companion.text.score import BoardOutcome, board_outcome
from engine.orders.describe import describe_step
from engine.orders.draft import event_text
from engine.orders.game import owed, play_recorded
from engine.orders.notation import parse_step
from engine.orders.position import Position
from engine.orders.score import HQ_LOST, VICTORY_POINTS
from engine.orders.steps import Step
from engine.orders.supply import cut_off_areas, supply
from engine.words import mark
from intake.text import one_line

REASONS = {HQ_LOST: mark("the headquarters is lost"), VICTORY_POINTS: mark("victory points")}

SAID_ALREADY = {"moved", "placed", "recalled", "rolled", "drew", "passed", "initiative"}
"""The kinds of events that a step's own sentence tells already."""


class OrdersReport(GameReport):
    """The report of General Orders: steps in the engine's own sentences, and the board's score as it stands."""

    def step_text(self, step: Step, before: Position) -> str:
        """Return a sentence that describes a step."""
        return one_line(describe_step(step, before))

    def game_text(self, journal: AnyJournal) -> str:
        """Return a saved game as text: each step with what happened, and at the end who has won or what is due."""
        game = of_orders(journal, "")
        start = game.positions[0]
        tokens = ", ".join(f"{slot} {bonus}" for slot, bonus in game.request.get("bonuses", {}).items())
        form = _("{board}, {who} has the initiative, tokens: {tokens}")
        who = _(start.initiative_name)
        lines = [form.format(board=start.board.name, who=who, tokens=tokens or _("none"))]
        for number, step in enumerate(game.steps, 1):
            before = game.positions[number - 1]
            lines.append(f"{number:>4}  {self.step_text(step, before)}")
            lines += kept_lines(game, number)
            happened = (event for event in play_recorded(before, step)[1] if event.kind not in SAID_ALREADY)
            lines.extend(f"{'':6}  {event_text(before, event)}" for event in happened)
        return "\n".join([*lines, _end_text(game.last)])

    def score_text(self, position: Position) -> str:
        """Return points, supply and the winner as lines of text."""
        return outcome_text(position, board_outcome(position))

    def score_json(self, position: Position) -> dict[str, Any]:
        """Return the score as JSON for other programs."""
        return outcome_json(position, board_outcome(position))

    def step_of(self, notation: str) -> Step:
        """Parse a step from a line of notation; EngineError if it is none."""
        return parse_step(notation)


def _end_text(position: Position) -> str:
    if position.winner_name is not None:
        why = _(REASONS.get(position.reason or "", position.reason or ""))
        return _("{who} wins ({why})").format(who=_(position.winner_name), why=why)
    due = owed(position)
    now = _("{who} to move").format(who=_(position.to_move_name)) if due is None else due.text
    return _("round {n}, {now}").format(n=position.round, now=now)


# ---- the score ------------------------------------------------------------------------------------


def outcome_text(position: Position, ended: BoardOutcome) -> str:
    """Return points, areas supplied and cut off, and the winner with the reasons, as lines of text."""
    supplied, cut_off = supply(position), cut_off_areas(position)
    rows = [[_("faction"), _("points"), _("from"), _("supplies"), _("cut off")]]
    for faction in position.board.factions:
        points = ", ".join(f"{area} {n}" for area, n in ended.score.areas.get(faction, {}).items()) or "–"
        vp = str(ended.score.vp[faction])
        rows.append([_(faction), vp, points, " ".join(supplied[faction]) or "–", " ".join(cut_off[faction]) or "–"])
    verdict = _("{who} wins").format(who=_(ended.winner)) if ended.winner else _("a tie")
    return "\n".join([columns(rows), verdict, *(f"  {sentence}" for sentence in ended.why)])


def outcome_json(position: Position, ended: BoardOutcome) -> dict[str, Any]:
    """Return the score in the form of the referee's answer to `score`: with reasons, supply, and areas cut off."""
    return {
        "vp": dict(ended.score.vp),
        "areas": {faction: dict(areas) for faction, areas in ended.score.areas.items()},
        "winner": ended.winner,
        "reason": ended.reason,
        "why": list(ended.why),
        "supply": {faction: list(areas) for faction, areas in supply(position).items()},
        "cut": {faction: list(areas) for faction, areas in cut_off_areas(position).items()},
    }


REPORT = OrdersReport()
