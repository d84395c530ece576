"""Hints: three good ways to use a turn, one at a time, with why, at what risk, and its chance to win.

The map shows the same one. A touch fills it in, another shows the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from companion.core.language import _
from companion.scenes.base.map_picture import Marks, turn_traces
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
"""A fixed seed: the same turn has the same hint whenever it is asked for."""
LONGEST_S = 8.0
HUNG_S = 30.0
"""A search that takes this long is taken to hang, and given up."""
MOST = 3
MOST_REASONS = 2


class HintPanel:
    """Searches for good moves of the side to move, and shows them one at a time.

    known: the position as that side knows it: with its own cards, if noted, and the number of the other's.
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
        """Start the search, or take in its result; return whether there is something new to show."""
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
        """Stop the search; the next `think` starts it anew."""
        if self._thought is not None:
            self._thought.stop()
            self._thought = None

    def show(self) -> Face:
        """Show one of the best moves, with arrows on the map, or that they are being searched for."""
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
        """Yield sentences on the reasons for a move, and on its risks.

        A risk that ends the game is left out if a reason says that the move may win at once.
        """
        told = worth_telling(candidate.reasons)
        yield from (sentence(reason_words(reason)) for reason in told[:MOST_REASONS])
        wins = any(reason.code == "wins" for reason in told)
        yield from (risk_words(odds, self.position) for odds in candidate.odds if not (wins and odds.ends))

    def _marks(self) -> Marks:
        """Return the map's marks: the space of the move shown, and arrows for the units it would move."""
        turn = self.candidates[self._on_map].turn
        if not isinstance(turn, Deploy):
            return Marks()
        return Marks(space=turn.space, traces=turn_traces((self.known, apply(self.known, turn)), (turn,)))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Open the form filled in with the touched move (just close for a pass), show the next move, or close."""
        if intent.verb == "take" and intent.n < len(self.candidates):
            turn = self.candidates[intent.n].turn
            return Open(filled_form(self.position, turn)) if isinstance(turn, Deploy) else Close()
        if intent.verb == "next-move" and self.candidates:
            self._on_map = (self._on_map + 1) % len(self.candidates)
        return Close() if intent.verb == "cancel" else None


def best_ways(position: Position, candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return up to MOST turns, best first, with only the best one for each action space.

    Support spaces of the same action count as one.
    """
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
        """Return the panel with hints for a turn, the last one again if `known` is the same."""
        if self._panel is None or self._panel.known != known:
            self._panel = HintPanel(position, self._thinking, known)
        return self._panel

    def stop_unless_shown(self, panel: object, away: bool = False) -> None:
        """Stop the search unless `panel`, which the table shows, is its own. away: another scene covers the table."""
        if self._panel is not None and (away or panel is not self._panel):
            self._panel.stop()
