"""How well the engine tells from the table which turn was played: random legal turns with cards of random games.

    python -m benchmarks.inference [--board BOARD]... [--turns 1000] [--seed 1]

Without a board, all that the engine has are asked about. Each turn is asked about three times: with exact counts and
commanders; with the counts that an unsure eye would give (for each area and space probabilities, the truth not always
the likeliest, some areas hidden); and so without the support board. Three figures: proposals with the same deployment
that leave the same units and commanders; those that leave the same units and commanders, so that no look at the table
could tell them from what was done (a shot that missed, the space of a round's last commander); and those that differ
from it only where nothing was in sight.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from statistics import median, quantiles
from typing import NamedTuple

from engine.orders.board import Board, board_names, load_board
from engine.orders.evidence import Evidence, evidence_of, forces_of
from engine.orders.infer import Explanation, Inference, infer, weigh
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Deploy, Step
from tests.engine.turns import turns_with_cards

Units = dict[str, dict[str, dict[str, int]]]
FIRST = 3
HIDDEN = 1.5
"""So many areas on average are hidden by a hand or glare."""


class Played(NamedTuple):
    """A turn: the position, its steps, and the position after them."""

    position: Position
    steps: tuple[Step, ...]
    end: Position


def played_turns(chance: Random, board: Board) -> Iterator[Played]:
    """Turn after turn of random games on a board with cards, rerolls and losses."""
    for position, steps, end in turns_with_cards(chance, board):
        yield Played(position, tuple(steps), end)


# --- what is seen -----------------------------------------------------------------------


def counted(position: Position) -> tuple[Units, dict[str, tuple[str, ...]]]:
    """The units and the commanders as somebody who looks closely counts them."""
    units = {area.name: here for area in position.board.areas if (here := position.units_in(area.name))}
    spaces = position.board.spaces
    return units, {space.name: who for space in spaces if (who := position.commanders_on(space.name))}


def looked_at(chance: Random, end: Position, support: bool) -> Evidence:
    """What an eye may make of the table: hidden areas left out, some areas unsure, few of them wrong."""
    board = end.board
    hidden = {area.name for area in board.areas if chance.random() < HIDDEN / len(board.areas)}
    seen = [area.name for area in board.areas if area.name not in hidden]
    counts = {area: doubts(chance, end, area) for area in seen}
    commanders = {
        space.name: {who: unsure(chance, who in end.commanders_on(space.name)) for who in board.factions}
        for space in board.spaces
        if (support if space.area is None else space.area not in hidden)
    }
    return evidence_of(board, counts, commanders)


def unsure(chance: Random, there: bool) -> float:
    """The probability that an eye gives a commander: now and then low where there is one."""
    right = 0.995 if chance.random() < 0.98 else chance.uniform(0.3, 0.9)
    return right if there else 1 - right


def doubts(chance: Random, end: Position, area: str) -> Sequence[tuple[Mapping[str, Mapping[str, int]], float]]:
    """The counts that an eye deems possible in an area, calibrated: it is likeliest as often as it says."""
    truth = end.units_in(area)
    if chance.random() < 0.85:
        return [(truth, 0.998), (other(chance, end.board, area, truth), 0.002)]
    best = chance.uniform(0.5, 0.95)
    wrong = other(chance, end.board, area, truth)
    pair = [(truth, best), (wrong, 1 - best)] if chance.random() < best else [(wrong, best), (truth, 1 - best)]
    return [(units, p * 0.99) for units, p in pair] + [(other(chance, end.board, area, wrong), 0.005)]


def other(
    chance: Random, board: Board, area: str, truth: Mapping[str, Mapping[str, int]]
) -> Mapping[str, Mapping[str, int]]:
    """A count that an eye may take for this one: a unit more or fewer, or of the other colour."""
    held = [(who, unit, n) for who, kinds in truth.items() for unit, n in kinds.items()]
    if not held:
        kinds = board.mode.kinds_on[board.area(area).kind]
        return {chance.choice(board.factions): {board.mode.units[chance.choice(kinds)].name: 1}}
    who, unit, n = chance.choice(held)
    if chance.random() < 0.1:
        return {next(one for one in board.factions if one != who): {unit: n}}
    changed = max(1, n + chance.choice((-1, 1, 1)))
    return {one: {**kinds, **({unit: changed} if one == who else {})} for one, kinds in truth.items()}


# --- right or wrong ---------------------------------------------------------------------


def same_end(one: Explanation, played: Played) -> bool:
    """Whether an explanation leaves the same units and commanders on the table."""
    return (one.position.units, one.position.commanders) == (played.end.units, played.end.commanders)


def looks_alike(one: Explanation, played: Played, evidence: Evidence) -> bool:
    """Whether an explanation leaves the same table, as far as anything of it was in sight."""
    seen = zip(forces_of(one.position), forces_of(played.end), evidence.areas, strict=True)
    looked = sum(1 << at for at, logs in enumerate(evidence.spaces) if logs is not None)
    sides = zip(one.position.commanders, played.end.commanders, strict=True)
    return all(ours == true or belief is None for ours, true, belief in seen) and all(
        (ours ^ true) & looked == 0 for ours, true in sides
    )


def deed(step: Step | None) -> object:
    """What counts of a deployment: its space, the moves on the board, and its target."""
    if not isinstance(step, Deploy):
        return type(step)
    return step.space, frozenset(load for load in step.moves if load[0] != RESERVE), step.target


def same(one: Explanation, played: Played) -> bool:
    """Whether an explanation is the turn that was played."""
    return same_end(one, played) and deed(one.steps[0] if one.steps else None) == deed(played.steps[0])


@dataclass
class Tally:
    """The figures of one way to look."""

    asked: int = 0
    found: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    missed: Counter[str] = field(default_factory=Counter)
    sure: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, played: Played, result: Inference, seconds: float, evidence: Evidence | None = None) -> None:
        """Count one answer."""
        first = result.explanations[:FIRST]
        right = [same(one, played) for one in first]
        ends = [same_end(one, played) for one in first]
        alike = ends if evidence is None else [looks_alike(one, played, evidence) for one in first]
        self.asked += 1
        self.seconds.append(seconds)
        self.found.update({"first": any(right[:1]), "three": any(right)})
        self.found.update({"end first": any(ends[:1]), "end three": any(ends)})
        self.found.update({"alike first": any(alike[:1]), "alike three": any(alike)})
        self.sure.append((first[0].likelihood if first else 0.0, any(ends[:1])))
        if not any(alike[:1]):
            step = played.steps[0]
            self.missed[step.space.partition(":")[0] if isinstance(step, Deploy) else "pass"] += 1

    def show(self, name: str) -> None:
        """Print the figures."""
        share = {key: f"{100 * n / self.asked:.2f} %" for key, n in self.found.items()}
        late = quantiles(self.seconds, n=100)[-1]
        print(f"{name}: {self.asked} turns")
        for what, key in (("the same deployment", ""), ("the same table", "end "), ("or none to tell apart", "alike ")):
            first, three = share.get(f"{key}first".strip(), "0 %"), share.get(f"{key}three".strip(), "0 %")
            print(f"  {what:22} first {first:>8}, among the first three {three:>8}")
        print(f"  median {1000 * median(self.seconds):.1f} ms, 99 of 100 under {1000 * late:.0f} ms")
        bold = [right for p, right in self.sure if p >= 0.9]
        print(f"  proposed with 0.9 or more: {len(bold)}, of them another table {len(bold) - sum(bold)}")
        print(f"  missed: {dict(self.missed.most_common())}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--board", action="append", choices=board_names(), dest="boards")
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for name in args.boards or board_names():
        measure(load_board(name), args.turns, args.seed)


def measure(board: Board, turns: int, seed: int) -> None:
    """Ask about so many turns of random games on a board."""
    eye = Random(seed + 1)
    exact, unsure, map_only = Tally(), Tally(), Tally()
    for played in islice(played_turns(Random(seed), board), turns):
        units, commanders = counted(played.end)
        begun = time.process_time()
        result = infer(played.position, units, commanders)
        exact.add(played, result, time.process_time() - begun)
        for tally, support in ((unsure, True), (map_only, False)):
            evidence = looked_at(eye, played.end, support)
            begun = time.process_time()
            result = weigh(played.position, evidence)
            tally.add(played, result, time.process_time() - begun, evidence)
    print(board.name)
    exact.show("exact counts with commanders")
    unsure.show("unsure counts with commanders")
    map_only.show("unsure counts, support board out of sight")


if __name__ == "__main__":
    main()
