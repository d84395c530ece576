"""The player of General Orders: which turn to take, with what chance to win, for what reasons and at what risk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Protocol

from engine.orders.game import carry_out, judge, owed
from engine.orders.odds import AreaOdds, step_odds
from engine.orders.player.evaluation import chance_by_points, winning_chance
from engine.orders.player.levels import Level
from engine.orders.player.prospects import Turn, add_extra_card, deployments_by_card, prospects, refine_turn
from engine.orders.player.reasons import Reason, reasons_of, threats_by
from engine.orders.player.search import Edge, Node, Stop, Worth, edge_of, root_of, search
from engine.orders.player.unfolding import Ending, best_answer, endings, endings_of, view_of
from engine.orders.position import Position
from engine.orders.steps import Deploy, Play, Step

MOST_SHOWN = 12
MOST_FALLING, GUARDING = 1 / 3, 0.05
"""A turn that leaves its headquarters to fall next with more than this chance must win this much more often."""
NEARLY = 0.1
"""A turn that wins this much less often than the best one is not taken, however much it is liked."""
FIRST_ROUND = 8
"""After this many positions a choice is ready that is better than the one at a glance."""
EXTRAS = 3
"""How many of the best turns are also considered with a commander that a card brings."""


class Chance(Protocol):
    """Where chance comes from: a `random.Random`."""

    def random(self) -> float:
        """Return a number from 0 up to 1."""

    def expovariate(self, lambd: float) -> float:
        """Return a number from 0 up, 1/lambd on average."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn that was weighed.

    `chance`: of the seat to win the game after it. `odds`: the exact odds of the dice it brings, area by area; empty
    where nothing is rolled. `reasons`: the weightiest first.
    """

    turn: Turn
    chance: float
    odds: tuple[AreaOdds, ...]
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player makes of a position: the turn it takes, and the best way to use each space, best first.

    At most MOST_SHOWN are listed; for the space of its own turn, that turn.

    `iterations`: how many later positions it looked into. A Plan's `draw` is a number: the table says which cards.
    """

    turn: Turn
    candidates: tuple[Candidate, ...]
    iterations: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The turn that was taken, and the best one found; both are the same if none is better."""

    taken: Candidate
    best: Candidate


def never_stop() -> bool:
    """Return False: never stop."""
    return False


def choose(position: Position, seat: str, level: Level, chance: Chance, stop: Stop = never_stop) -> Choice:
    """Choose a turn for a seat, as a player of this level would.

    The position must ask for that seat's turn (ValueError otherwise). The seat's own view is taken first, so it makes
    no difference what else the position knows. The same position, level and state of `chance` give the same choice,
    unless `stop` says to stop earlier: it is asked before each of the level's iterations, and the best so far is the
    answer.
    """
    thought = _begin(position, seat, level, chance)
    thought.look(level.iterations, stop)
    return thought.choice()


def consider(position: Position, seat: str, level: Level, chance: Chance, stop: Stop = never_stop) -> Iterator[Choice]:
    """Yield the choice so far: at a glance, then each time that twice as many positions have been looked into.

    The last one is what `choose` returns.
    """
    thought = _begin(position, seat, level, chance)
    yield thought.choice()
    while more := min(max(FIRST_ROUND, thought.done), level.iterations - thought.done):
        looked = thought.look(more, stop)
        if looked:
            yield thought.choice()
        if looked < more:
            return


def _begin(position: Position, seat: str, level: Level, chance: Chance) -> _Thought:
    me = position.board.mode.faction_index[seat]
    if position.winner is not None or owed(position) is not None or position.to_move != me:
        raise ValueError(f"it is not the turn of {seat}")
    return _Thought(view_of(position, me), level, chance)


class _Thought:
    """A player's thinking about one position: a choice is ready at any moment.

    All random numbers are drawn first, so that looking for longer changes none of them.
    """

    def __init__(self, view: Position, level: Level, chance: Chance) -> None:
        self.view, self.level, self.done = view, level, 0
        turns = _turns_considered(thinkable_turns(view), level, chance)
        today = replace(level, misses=float(chance.random() < level.misses)) if level.misses else level
        self._unseen = 1 - view.to_move if today.misses else -1
        self.root = root_of(view, _edges(view, today, turns))
        self._whims = [level.freedom * chance.expovariate(1.0) if level.freedom else 0.0 for _ in self.root.edges]

    def look(self, positions: int, stop: Stop) -> int:
        """Look into this many more positions, fewer if told to stop or if all is sure, and return how many."""
        more = search(self.root, positions, stop)
        self.done += more
        return more

    def choice(self) -> Choice:
        """Choose by what is known so far."""
        drift, level = self.root.drift, self.level
        ranked = _rank_turns(self.root)
        wishes = {edge: edge.score(drift) + self._liking(edge, ranked[0]) for edge in ranked}
        wished = sorted(ranked, key=lambda edge: -wishes[edge])
        taken = wished[0] if level.overlooks else prefer_guard(wished, drift)
        if level.freedom:
            taken = max(zip(wished, self._whims, strict=True), key=lambda pair: wishes[pair[0]] - pair[1])[0]
        shown = _best_by_space(ranked, taken)
        return Choice(taken.turn, tuple(_candidate(self.view, edge, drift) for edge in shown), self.done)

    def _liking(self, edge: Edge, best: Edge) -> float:
        """Return how much more the level's temperament makes a turn worth, as a chance to win.

        A turn far behind the best one isn't liked enough to be taken, whatever it does.
        """
        drift, temperament = self.root.drift, self.level.temperament
        chance = edge.worth(drift)
        if temperament is None or chance < best.worth(drift) - NEARLY:
            return 0.0
        me, unseen = self.view.to_move, self._unseen
        before = temperament.liking(self.view, me, unseen)
        after = sum(
            part * (temperament.liking(node.position, me, unseen) - before)
            for part, node in edge.ends
            if node.position.winner is None
        )
        return chance * (1.0 - chance) * after


def compare(position: Position, turn: Turn, level: Level, stop: Stop = never_stop) -> Comparison:
    """Compare a legal turn with the best that its seat could have found at a level that overlooks nothing.

    The position must ask for a turn. The turn is judged by what the seat knew, without the cards that it draws, and is
    looked into as often as the one that looks better.
    """
    view = view_of(position, position.to_move)
    edges = _edges(view, level, thinkable_turns(view))
    same = _look(view, position.to_move, partial(worth, level=level), without_drawn_cards(turn))
    taken = next((edge for edge in edges if edge.leads_to_same_ends(same)), same)
    if taken is same:
        edges.append(same)
    root = root_of(view, edges)
    search(root, level.iterations, stop)
    best = _rank_turns(root)[0]
    if best is not taken:
        search(root, best.visits - taken.visits, stop, taken)
        best = _rank_turns(root)[0]
    return Comparison(_candidate(view, taken, root.drift), _candidate(view, best, root.drift))


def without_drawn_cards(turn: Turn) -> Turn:
    """Return the turn with only the number of the cards it draws, as its player knew it when choosing."""
    return replace(turn, draw=len(turn.draw)) if isinstance(turn, Deploy) and isinstance(turn.draw, tuple) else turn


def thinkable_turns(view: Position) -> list[Turn]:
    """List the turns worth a thought, including those considered as a reply.

    That way this turn and the one before, which took those replies into account, are judged alike.
    """
    found = dict.fromkeys([*prospects(view, wide=True), *deployments_by_card(view), *prospects(view)])
    return [turn for turn in found if judge(view, turn).legal]


def worth(position: Position, faction: int, level: Level) -> float:
    """Return the chance to win as a player of that level sees it at a glance, most of the time."""
    if level.by_points:
        return chance_by_points(position, faction)
    return winning_chance(position, faction, 1 - faction if level.misses > 0.5 else -1)


def _turns_considered(legal: list[Turn], level: Level, chance: Chance) -> list[Turn]:
    """Return the turns that a player of that level thinks of; a space is thought of or overlooked as a whole."""
    spaces = dict.fromkeys(map(_space, legal))
    seen = {space for space in spaces if not level.overlooks or chance.random() >= level.overlooks}
    return [turn for turn in legal if _space(turn) in seen] or legal


def _edges(view: Position, level: Level, turns: Sequence[Turn]) -> list[Edge]:
    """Return an edge for each of these turns, valued as by a player of that level.

    Edges for changed versions of the best of them are added.
    """
    look = cache(partial(_look, view, view.to_move, partial(worth, level=level)))
    edges = [look(turn) for turn in turns]
    best = sorted(edges, key=lambda edge: -edge.first)
    changed = [refine_turn(view, edge.turn, lambda turn: look(turn).first) for edge in best[: level.refines]]
    changed += [add_extra_card(view, turn) for turn in [*changed, *(edge.turn for edge in best[:EXTRAS])]]
    known = {edge.turn for edge in edges}
    return edges + [look(turn) for turn in dict.fromkeys(changed) if turn not in known]


def _look(view: Position, me: int, glance: Worth, turn: Turn) -> Edge:
    # the chance of the faction to move, as seen by the player whose thoughts these are
    def for_mover(position: Position, faction: int) -> float:
        return glance(position, me) if faction == me else 1.0 - glance(position, me)

    return edge_of(turn, me, _ends(view, turn, me), for_mover)


def _ends(view: Position, turn: Turn, me: int) -> list[Ending]:
    """Return all ends of a turn, with the card of the player's own hand that is best played at once, if any."""
    hand = view.hands[me]
    if not hand or isinstance(hand, int):
        return endings(view, turn, wary=True)
    begun = carry_out(view, turn).freeze()
    due = owed(begun)
    card = best_answer(begun, me) if due is not None and due.cards else None
    return endings(begun, card, wary=True) if isinstance(card, Play) else endings_of(begun, wary=True)


def _rank_turns(root: Node) -> list[Edge]:
    """Return the turns, best first."""
    return sorted(root.edges, key=lambda edge: -edge.score(root.drift))


def prefer_guard(ranked: Sequence[Edge], drift: float) -> Edge:
    """Return the best turn, or if the player's headquarters is likely to fall after it, a safer one nearly as good."""
    best = ranked[0]
    if falling_chance(best) <= MOST_FALLING:
        return best
    as_good = (edge for edge in ranked[1:] if edge.worth(drift) > best.worth(drift) - GUARDING)
    return next((edge for edge in as_good if falling_chance(edge) <= MOST_FALLING), best)


def falling_chance(edge: Edge) -> float:
    """Return the chance that the player of a turn loses the headquarters to the next turn."""
    return sum(
        chance * threats_by(node.position, node.mover).headquarters
        for chance, node in edge.ends
        if node.position.winner is None and node.mover != edge.mover
    )


def _best_by_space(ranked: Sequence[Edge], taken: Edge) -> list[Edge]:
    """Return the best way to use each space, the turn taken among them."""
    best: dict[str, Edge] = {}
    for edge in ranked:
        best.setdefault(_space(edge.turn), edge)
    best[_space(taken.turn)] = taken
    shown = list(best.values())
    return shown[:MOST_SHOWN] if taken in shown[:MOST_SHOWN] else [*shown[: MOST_SHOWN - 1], taken]


def _space(turn: Turn) -> str:
    return turn.space if isinstance(turn, Deploy) else ""


def _candidate(view: Position, edge: Edge, drift: float) -> Candidate:
    ends = [Ending(chance, node.position) for chance, node in edge.ends]
    return Candidate(edge.turn, edge.worth(drift), step_odds(view, edge.turn), reasons_of(view, edge.turn, ends))


def answer(position: Position, seat: str, level: Level) -> Step | None:
    """Return the step by which a seat answers what is owed inside a turn.

    That is a card, losses, a commander that goes back, or that the seat plays no card. None where it has nothing to
    decide, or where the table has to roll the dice.
    """
    me = position.board.mode.faction_index[seat]
    return best_answer(view_of(position, me), me, partial(worth, level=level))


def chance_to_win(position: Position, faction: str) -> float:
    """Return how likely a faction wins; 1 or 0 in a finished game.

    Inside a turn this is the average over its dice, without cards.
    """
    me = position.board.mode.faction_index[faction]
    return sum(end.chance * winning_chance(end.position, me) for end in endings_of(position))


def chance_after(position: Position, step: Step, faction: str) -> float:
    """Return how likely a faction wins after a legal step, before its dice are rolled."""
    me = position.board.mode.faction_index[faction]
    return sum(end.chance * winning_chance(end.position, me) for end in endings(position, step))
