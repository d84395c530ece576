"""How well the engine tells from the table which turn was played: turns of whole games with cards, losses and rerolls.

    python -m benchmarks.inference [--board BOARD]... [--player random|sensible]... [--turns 1000] [--seed 1]

Without a board, all that the engine has are asked about; without a player, both. The random player takes any legal
step (recalls, units over the limit, shots at nobody, hidden hands, switched readings among them); the sensible one is
the demo's, which plays as people do but recalls nothing. Each turn is asked about with exact counts and commanders; as
a good eye sees it, with one count in 180 wrong; as an unsure eye does, which has nearly one wrong count and more than
one hidden area in every picture; and by both eyes without the support board.

Three figures each: proposals with the same deployment that leave the same units and commanders; those that leave the
same units and commanders, so that no look at the table could tell them from what was done (a shot that missed, the
space of a round's last commander); and those that differ from it only where nothing was in sight. Then, for each kind
of turn, how many there were and for how many of them the third figure failed: not first, not among the first three.
Last, what is told where two turns were played before anybody looked.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from random import Random
from statistics import median, quantiles
from typing import NamedTuple

from companion.demo.autoplayer import Autoplayer
from companion.perception.turn_inference import IDLE
from engine.orders.board import Board, board_names, load_board
from engine.orders.game import apply, judge, new_game
from engine.orders.inference.evidence import Evidence, evidence_of, forces_of
from engine.orders.inference.infer import Explanation, Inference, infer, infer_from_evidence
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Deploy, Play, Remove, Reroll, Return, Roll, Step
from tests import play
from tests.engine.orders.inference.turns import beginning

Units = dict[str, dict[str, dict[str, int]]]
FIRST = 3


class Eye(NamedTuple):
    """How sure an eye is: the share of areas in doubt, the areas hidden on average, the share of spaces in doubt."""

    doubtful: float
    hidden: float
    spaces: float


EYES = {"a good eye": Eye(0.02, 0.3, 0.005), "an unsure eye": Eye(0.15, 1.5, 0.02)}
"""In doubt an eye is right in nearly three of four cases, as often as it says."""


class Played(NamedTuple):
    """A turn: the position, its steps, and the position after them."""

    position: Position
    steps: tuple[Step, ...]
    end: Position


def played_turns(chance: Random, board: Board) -> Iterator[Played]:
    """Yield turn after turn of random games on a board.

    One half by actions, one by spaces and cards, in every way.
    """
    while True:
        position = deal_hands(chance, play.opening(chance, board))
        while position.winner is None:
            begun, steps = position, list[Step]()
            while not steps or position.turn is not None:
                rare = beginning(chance, position) if not steps and chance.random() < 0.5 else None
                fits = rare and judge(position, rare).legal
                steps.append(rare if rare and fits else play.next_step(chance, position))
                position = apply(position, steps[-1])
                if isinstance(steps[0], Play):  # announced between turns
                    begun, steps = position, []
            yield Played(begun, tuple(steps), position)


def deal_hands(chance: Random, position: Position) -> Position:
    """Return the opening with up to four cards in each hand, so that many cards get played."""
    deck = [card for card, copies in position.board.mode.deck.items() for _ in range(copies)]
    chance.shuffle(deck)
    first, second = (
        n if isinstance(hand, int) else tuple(sorted(deck.pop() for _ in range(n)))
        for hand, n in zip(position.hands, (chance.randrange(5), chance.randrange(5)), strict=True)
    )
    return replace(position, hands=(first, second))


def sensible_turns(chance: Random, board: Board) -> Iterator[Played]:
    """Yield turn after turn of games that the demo's player plays for both sides, from the printed start."""
    while True:
        tokens = chance.sample(sorted(board.mode.tokens), len(board.slots))
        position = new_game(board.name, chance.choice(board.factions), dict(zip(board.slots, tokens, strict=True)))
        player = Autoplayer(chance.randrange(2**32))
        while position.winner is None:
            begun, steps = position, list[Step]()
            while not steps or position.turn is not None:
                steps.append(player.step(position))
                position = apply(position, steps[-1])
            yield Played(begun, tuple(steps), position)


PLAYERS: dict[str, Callable[[Random, Board], Iterator[Played]]] = {"random": played_turns, "sensible": sensible_turns}


# --- kinds of turns ---------------------------------------------------------------------

CARDS = {
    "join": "a card adds units to a move",
    "place": "a card places more units",
    "dice": "a card adds dice",
    "again": "a card lets it happen again",
    "share": "a card shares a space",
    "extra": "a card brings a commander",
    "table": "a card of unknown text",
}


def kinds_of(played: Played) -> Iterator[str]:
    """Yield what a turn is: its action, and all that was in it."""
    position, steps, end = played
    mode, first = position.board.mode, steps[0]
    yield position.board.space(first.space).action.name if isinstance(first, Deploy) else "pass"
    if isinstance(first, Deploy) and first.payload:
        yield "units spent"
    cards = [card for step in steps for card in (step.cards if isinstance(step, Deploy) else ())]
    cards += [step.card for step in steps if isinstance(step, Play)]
    yield from dict.fromkeys(CARDS[mode.cards[card].verb] for card in cards)
    kinds = {type(step) for step in steps}
    yield from (word for kind, word in _ANSWERS.items() if kind in kinds)
    if any(step.recall for step in steps if isinstance(step, Deploy | Play)):
        yield "recall"
    if Roll in kinds:
        lost = any(was > now for was, now in zip(_sums(position), _sums(end), strict=True))
        yield "units lost by dice" if lost else "dice without a loss"
    if isinstance(position.hands[0], int) or isinstance(position.hands[1], int):
        yield "a hidden hand"
    if end.winner is not None:
        yield "game ends"
    elif end.round != position.round:
        yield "round ends"


_ANSWERS: dict[type[Step], str] = {
    Remove: "losses chosen",
    Return: "a commander goes back",
    Reroll: "dice rolled again",
}


def _sums(position: Position) -> list[int]:
    """Count all units on the board, by faction."""
    return [sum(map(sum, side)) for side in position.units]


# --- what is seen -----------------------------------------------------------------------


def count_units(position: Position) -> tuple[Units, dict[str, tuple[str, ...]]]:
    """Return the units and the commanders as somebody who looks closely counts them."""
    units = {area.name: here for area in position.board.areas if (here := position.units_in(area.name))}
    spaces = position.board.spaces
    return units, {space.name: who for space in spaces if (who := position.commanders_on(space.name))}


def looked_at(chance: Random, end: Position, support: bool, eye: Eye) -> Evidence:
    """Return what an eye may make of the table: hidden areas left out, some areas unsure, a few wrong."""
    board = end.board
    hidden = {area.name for area in board.areas if chance.random() < eye.hidden / len(board.areas)}
    in_sight = [area.name for area in board.areas if area.name not in hidden]
    counts = {area: doubts(chance, end, area, eye.doubtful) for area in in_sight}
    commanders = {
        space.name: {who: unsure(chance, who in end.commanders_on(space.name), eye) for who in board.factions}
        for space in board.spaces
        if (support if space.area is None else space.area not in hidden)
    }
    return evidence_of(board, counts, commanders)


def unsure(chance: Random, there: bool, eye: Eye) -> float:
    """Return the probability that an eye gives a commander on a space; now and then a low one where one stands."""
    right = 0.995 if chance.random() >= eye.spaces else chance.uniform(0.3, 0.9)
    return right if there else 1 - right


def doubts(
    chance: Random, end: Position, area: str, share: float
) -> Sequence[tuple[Mapping[str, Mapping[str, int]], float]]:
    """Return the counts that an eye deems possible in an area.

    Calibrated: the likeliest is right as often as the eye says.
    """
    truth = end.units_in(area)
    if chance.random() >= share:
        return [(truth, 0.998), (other(chance, end.board, area, truth), 0.002)]
    best = chance.uniform(0.5, 0.95)
    wrong = other(chance, end.board, area, truth)
    pair = [(truth, best), (wrong, 1 - best)] if chance.random() < best else [(wrong, best), (truth, 1 - best)]
    return [(units, p * 0.99) for units, p in pair] + [(other(chance, end.board, area, wrong), 0.005)]


def other(
    chance: Random, board: Board, area: str, truth: Mapping[str, Mapping[str, int]]
) -> Mapping[str, Mapping[str, int]]:
    """Return a count that an eye may mistake this one for: a unit more or fewer, or of the other colour."""
    held = [(who, unit, n) for who, kinds in truth.items() for unit, n in kinds.items()]
    if not held:
        kinds = board.mode.kinds_on[board.area(area).kind]
        return {chance.choice(board.factions): {board.mode.units[chance.choice(kinds)].name: 1}}
    who, unit, n = chance.choice(held)
    if chance.random() < 0.1:
        return {next(faction for faction in board.factions if faction != who): {unit: n}}
    changed = max(1, n + chance.choice((-1, 1, 1)))
    return {faction: {**kinds, **({unit: changed} if faction == who else {})} for faction, kinds in truth.items()}


# --- right or wrong ---------------------------------------------------------------------


def same_end(explanation: Explanation, played: Played) -> bool:
    """Return whether an explanation leaves the same units and commanders on the table."""
    return (explanation.position.units, explanation.position.commanders) == (played.end.units, played.end.commanders)


def looks_alike(explanation: Explanation, played: Played, evidence: Evidence) -> bool:
    """Return whether an explanation leaves the same table, as far as anything of it was in sight."""
    triples = zip(forces_of(explanation.position), forces_of(played.end), evidence.areas, strict=True)
    looked = sum(1 << at for at, logs in enumerate(evidence.spaces) if logs is not None)
    sides = zip(explanation.position.commanders, played.end.commanders, strict=True)
    return all(ours == true or belief is None for ours, true, belief in triples) and all(
        (ours ^ true) & looked == 0 for ours, true in sides
    )


def essence_of(step: Step | None) -> object:
    """Return what makes two deployments alike: the space, the moves on the board, and the target."""
    if not isinstance(step, Deploy):
        return type(step)
    return step.space, frozenset(load for load in step.moves if load[0] != RESERVE), step.target


def same(explanation: Explanation, played: Played) -> bool:
    """Return whether an explanation is the turn that was played."""
    return same_end(explanation, played) and essence_of(
        explanation.steps[0] if explanation.steps else None
    ) == essence_of(played.steps[0])


@dataclass
class Tally:
    """The figures of one way to look."""

    name: str
    asked: int = 0
    found: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    missed: Counter[str] = field(default_factory=Counter)
    missed_thrice: Counter[str] = field(default_factory=Counter)
    sure: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, played: Played, result: Inference, seconds: float, evidence: Evidence | None = None) -> None:
        """Count the engine's answer to one turn."""
        first = result.explanations[:FIRST]
        right = [same(explanation, played) for explanation in first]
        ends = [same_end(explanation, played) for explanation in first]
        alike = ends if evidence is None else [looks_alike(explanation, played, evidence) for explanation in first]
        self.asked += 1
        self.seconds.append(seconds)
        self.found.update({"first": any(right[:1]), "three": any(right)})
        self.found.update({"end first": any(ends[:1]), "end three": any(ends)})
        self.found.update({"alike first": any(alike[:1]), "alike three": any(alike)})
        self.sure.append((first[0].likelihood if first else 0.0, any(ends[:1])))
        self.missed.update([] if any(alike[:1]) else kinds_of(played))
        self.missed_thrice.update([] if any(alike) else kinds_of(played))

    def show(self) -> None:
        """Print the figures."""
        share = {key: f"{100 * n / self.asked:.2f} %" for key, n in self.found.items()}
        late = quantiles(self.seconds, n=100)[-1]
        print(f"  {self.name}")
        for what, key in (("the same deployment", ""), ("the same table", "end "), ("or none to tell apart", "alike ")):
            first, three = share.get(f"{key}first".strip(), "0 %"), share.get(f"{key}three".strip(), "0 %")
            print(f"    {what:22} first {first:>8}, among the first three {three:>8}")
        print(f"    median {1000 * median(self.seconds):.1f} ms, 99 of 100 under {1000 * late:.0f} ms")
        bold = [right for p, right in self.sure if p >= 0.9]
        print(f"    proposed with 0.9 or more: {len(bold)}, of them another table {len(bold) - sum(bold)}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--board", action="append", choices=board_names(), dest="boards")
    parser.add_argument("--player", action="append", choices=tuple(PLAYERS), dest="players")
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for name in args.boards or board_names():
        for player in args.players or PLAYERS:
            print(f"{name}, {player} player: {args.turns} turns")
            turns = PLAYERS[player](Random(args.seed), load_board(name))
            measure(list(islice(turns, args.turns)), Random(args.seed + 1))


def measure(turns: Sequence[Played], chance: Random) -> None:
    """Ask the engine about these turns, and print the figures."""
    exact = Tally("exact counts with commanders")
    eyes = [
        (Tally(name if support else f"{name}, support board out of sight"), eye, support)
        for name, eye in EYES.items()
        for support in (True, False)
    ]
    for played in turns:
        units, commanders = count_units(played.end)
        begun = time.process_time()
        result = infer(played.position, units, commanders)
        exact.add(played, result, time.process_time() - begun)
        for tally, eye, support in eyes:
            evidence = looked_at(chance, played.end, support, eye)
            begun = time.process_time()
            result = infer_from_evidence(played.position, evidence)
            tally.add(played, result, time.process_time() - begun, evidence)
    tallies = [exact, *(tally for tally, _, _ in eyes)]
    for tally in tallies:
        tally.show()
    show_kinds(turns, tallies)
    show_pairs(turns, chance)


def show_pairs(turns: Sequence[Played], chance: Random) -> None:
    """Print how pairs of turns seen at once are explained: both told, or the first alone, from which play goes on."""
    found, spent = Counter[str](), list[float]()
    for first, second in pairwise(turns):
        if first.end is not second.position:
            continue
        both = Played(first.position, first.steps + second.steps, second.end)
        evidence = looked_at(chance, second.end, False, EYES["a good eye"])
        begun = time.process_time()
        best, *_ = infer_from_evidence(first.position, evidence, idle=IDLE, two=True).explanations
        spent.append(time.process_time() - begun)
        right, begins = (
            looks_alike(best, both, evidence),
            best.steps and essence_of(best.steps[0]) == essence_of(first.steps[0]),
        )
        found["both" if right and best.steps else "the first alone" if begins else "neither"] += 1
    counts = ", ".join(f"{what} {n}" for what, n in found.most_common())
    print(f"  two turns seen at once, a good eye, support board out of sight: {counts}")
    print(f"    median {1000 * median(spent):.1f} ms, at most {1000 * max(spent):.0f} ms", flush=True)


def show_kinds(turns: Sequence[Played], tallies: Sequence[Tally]) -> None:
    """Print a line for each kind of turn: how many there were, and how many not first / not among the first three."""
    asked = Counter(kind for played in turns for kind in kinds_of(played))
    print("  kind of turn                  turns   not first/not among three, in the order above")
    for kind, n in asked.most_common():
        misses = "".join(f"{f'{tally.missed[kind]}/{tally.missed_thrice[kind]}':>8}" for tally in tallies)
        print(f"    {kind:28} {n:6} {misses}", flush=True)


if __name__ == "__main__":
    main()
