"""Hints: three good ways to use a turn, one at a time, with why, at what risk, and its chance to win.

The map shows the same one. A touch fills it in, another shows the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from companion.core.language import _
from companion.scenes.base.map_picture import Marks, last_turn
from companion.scenes.base.panels import Close, Face, Open, Reply
from companion.scenes.orders.turn import TurnPanel, filled_form
from companion.text.advice import reason_words, risk_words, turn_advice, worth_telling
from companion.text.orders import sentence
from companion.text.percent import chance_percent
from companion.thinking.player import TurnWanted, choice
from companion.thinking.thought import Thinking, Thought
from companion.ui.screen import Button, Intent, Prompt, Slip, back_button
from engine.orders.game import apply
from engine.orders.player import Candidate, Choice
from engine.orders.position import Position
from engine.orders.steps import Deploy, Step

LEVEL = "strong"
SEED = 0
"""The strong level leaves nothing to chance: the same turn has the same hint, whenever it is asked for."""
LONGEST_S = 8.0
HUNG_S = 30.0
"""A thought that has gone on for so long hangs: it is ended."""
MOST = 3
MOST_REASONS = 2


class HintPanel:
    """Thinks while it is shown; whoever is to move asked for it.

    known: the position with what that side may know of its own hand; of the other it knows the number of cards.
    """

    def __init__(self, position: Position, thinking: Thinking, known: Position | None = None) -> None:
        self.position = position
        self.known = known or position
        self.seat = position.to_move_name
        self.candidates: tuple[Candidate, ...] = ()
        self.has_failed = False
        self._on_map = 0  # the number of the move that the map shows
        self._thinking = thinking
        self._thought: Thought[Choice] | None = None
        self._since_s = 0.0

    def think(self, now_s: float = 0.0) -> bool:
        """Begin to think, or take in what has come of it: whether there is something new to show."""
        if self.candidates or self.has_failed:
            return False
        if self._thought is None:
            self._since_s = now_s
            wanted = TurnWanted(self.known, self.seat, LEVEL, SEED, LONGEST_S)
            self._thought = self._thinking.begin(partial(choice, wanted))
        for thought in self._thought.news():
            self.candidates = best_ways(self.position, thought.candidates)
        ended = self._thought.state != "thinking" or now_s - self._since_s >= HUNG_S
        self.has_failed = not self.candidates and ended
        if self.has_failed:
            self.stop()
        return bool(self.candidates) or self.has_failed

    def stop(self) -> None:
        """Think no more; it begins anew where it is shown again."""
        if self._thought is not None:
            self._thought.stop()
            self._thought = None

    def show(self) -> Face:
        """Show one of the best moves, with arrows on the map; until they are found, say so."""
        back = (back_button(verb="cancel"),)
        if self.has_failed:
            return Face((Prompt(self.seat, _("No hint this time")),), back)
        if not self.candidates:
            hint = _("You can play on meanwhile: touch the map.")
            return Face((Prompt(self.seat, _("Looking for good moves"), hint),), back)
        others = (Button(_("Next move"), Intent("next-move")),) if len(self.candidates) > 1 else ()
        title = _("Good move {n} of {all} · chance to win").format(n=self._on_map + 1, all=len(self.candidates))
        return Face((Prompt(self.seat, title), self._slip()), (*back, *others), self._marks())

    def _slip(self) -> Slip:
        shown = self.candidates[self._on_map]
        move = turn_advice(shown.turn, self.position)
        title = _("{percent} · {move}").format(percent=chance_percent(shown.chance), move=move)
        return Slip(title, " ".join(self._why(shown)), intent=Intent("take", "", self._on_map))

    def _why(self, candidate: Candidate) -> Iterator[str]:
        """Yield the reasons for a move beyond what it says itself, and its risks.

        A risk that ends the game is left out if a reason says that the move may win at once.
        """
        told = worth_telling(candidate.reasons)
        yield from (sentence(reason_words(reason)) for reason in told[:MOST_REASONS])
        wins = any(reason.code == "wins" for reason in told)
        yield from (risk_words(odds, self.position) for odds in candidate.odds if not (wins and odds.ends))

    def _marks(self) -> Marks:
        """Mark the space of the move that is shown, with arrows for the units it would move."""
        turn = self.candidates[self._on_map].turn
        if not isinstance(turn, Deploy):
            return Marks()
        return Marks(space=turn.space, traces=last_turn((self.known, apply(self.known, turn)), (turn,)))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Fill one of them in, or go back; a pass is confirmed where the turn begins."""
        if intent.verb == "take" and intent.n < len(self.candidates):
            turn = self.candidates[intent.n].turn
            return Open(filled_form(self.position, turn)) if isinstance(turn, Deploy) else Close()
        if intent.verb == "next-move" and self.candidates:
            self._on_map = (self._on_map + 1) % len(self.candidates)
        return Close() if intent.verb == "cancel" else None


def best_ways(position: Position, candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return the best of the turns weighed, best first; one of those that differ only in their support space."""
    found: dict[str, Candidate] = {}
    for candidate in sorted(candidates, key=lambda candidate: -candidate.chance):
        space = position.board.space(candidate.turn.space) if isinstance(candidate.turn, Deploy) else None
        found.setdefault("" if space is None else (space.area and space.name) or space.action.name, candidate)
    return tuple(found.values())[:MOST]


class Hints:
    """The hints of a game at its table. allowed: both players agreed, or one of them is the app."""

    def __init__(self, thinking: Thinking) -> None:
        self.allowed = False
        self._thinking = thinking
        self._panel: HintPanel | None = None

    def may_ask(self, panel: object) -> bool:
        """Return whether a hint may be asked for beside this panel: where a turn begins."""
        return self.allowed and isinstance(panel, TurnPanel) and panel.position.winner is None

    def panel_for(self, position: Position, known: Position) -> HintPanel:
        """Return the hint for the turn that begins here; the same panel as long as no more is known."""
        if self._panel is None or self._panel.known != known:
            self._panel = HintPanel(position, self._thinking, known)
        return self._panel

    def stop_unless_shown(self, panel: object, away: bool = False) -> None:
        """Think of no hint any more that isn't shown: `panel` is. away: something else is in the table's place."""
        if self._panel is not None and (away or panel is not self._panel):
            self._panel.stop()
