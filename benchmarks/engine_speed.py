"""How fast the engine is: random legal games of Rivers, legal sets, supply against networkx, and folding a long game.

    python -m benchmarks.engine_speed [--seconds 5] [--seed 1]

All figures come from one run on one core. Supply is a ratio to the same question asked of networkx: of the areas under
control, which are connected to the headquarters? Each side is handed the areas in its own form (a bitmask, a list); a
second figure starts from the units of a position on both sides.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator

import networkx as nx

from engine.areas import members
from engine.orders.board import Board
from engine.orders.game import apply, fold, new_game, options, owed
from engine.orders.position import Option, Position, movable_units, outlook_of, survey_of
from engine.orders.steps import Accept, Deploy, Load, Pass, Roll, Step

BONUSES = {"sun": "barracks", "moon": "hidden_base", "star": "shipyard"}


def random_turn(position: Position, chance: random.Random) -> tuple[Position, list[Step]]:
    """Play one turn: compute the legal set, choose at random, and apply the choice with all the dice it owes."""
    step: Step = _choice(position, options(position), chance)
    steps = [step]
    position = apply(position, step)
    while position.turn is not None:
        step = _answer(position, chance)
        steps.append(step)
        position = apply(position, step)
    return position, steps


def _choice(position: Position, legal: list[Option], chance: random.Random) -> Step:
    option = chance.choice(legal) if legal else None
    if option is None:
        return Pass()
    name, verb = option.space.name, option.space.action.verb
    if verb == "move":
        return Deploy(name, moves=_some(position, option, chance))
    areas = list(members(option.areas))
    if verb == "shoot":
        return Deploy(name, target=position.board.areas[chance.choice(areas)].name)
    if verb == "place":
        return Deploy(name, place=_placed(position, option, chance))
    return Deploy(name, draw=option.amount)


def _some(position: Position, option: Option, chance: random.Random) -> tuple[Load, ...]:
    outlook = outlook_of(position, position.to_move)
    loads = [
        (outlook.name(a), u, chance.randint(0, n))
        for a in members(option.areas)
        for u, n in movable_units(outlook, a).items()
    ]
    chosen = tuple(load for load in loads if load[2])
    return chosen or ((loads[0][0], loads[0][1], 1),)


def _placed(position: Position, option: Option, chance: random.Random) -> tuple[Load, ...]:
    board = position.board
    kind = board.mode.kinds_on[option.space.action.kind][0]
    areas = [board.areas[area].name for area in members(option.areas)]
    units = min(option.amount, position.reserve(position.to_move, kind)) if areas else 0
    placed: dict[str, int] = {}
    for _ in range(units):
        area = chance.choice(areas)
        placed[area] = placed.get(area, 0) + 1
    return tuple((area, board.mode.units[kind].name, n) for area, n in placed.items())


def _answer(position: Position, chance: random.Random) -> Step:
    due = owed(position)
    if due is not None and due.wants == "roll":
        return Roll(tuple(chance.choice(position.board.mode.die) for _ in range(due.dice)), due.by)
    return Accept()


def random_games(seed: int) -> Iterator[tuple[Position, list[Step]]]:
    """Yield endless random legal turns, game after game: the position before each and its steps."""
    chance = random.Random(seed)
    while True:
        position = new_game("sengoku-rivers", chance.choice(("red", "black")), BONUSES)
        while position.winner is None:
            before = position
            position, steps = random_turn(position, chance)
            yield before, steps


def rate(work: Callable[[], object], seconds: float) -> float:
    """Return how often a second `work` is done."""
    begun = time.process_time()
    done = 0
    while time.process_time() - begun < seconds:
        work()
        done += 1
    return done / (time.process_time() - begun)


def _each(work: Callable[[Position], object], positions: list[Position]) -> Callable[[], object]:
    return lambda: [work(position) for position in positions]


def _fresh(position: Position) -> Position:
    """Return the same position with nothing worked out yet."""
    object.__setattr__(position, "_survey", None)
    return position


def graph_of(board: Board) -> nx.Graph[int]:
    """Return the board's borders as a graph of area numbers."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(board.areas)))
    graph.add_edges_from((area.index, board.area_index[other]) for area in board.areas for other in area.adjacent)
    return graph


def linked_by_networkx(graph: nx.Graph[int], hq: int, held: list[int]) -> set[int]:
    """Return the areas connected to the headquarters, asked of networkx."""
    return set(nx.node_connected_component(graph.subgraph(held), hq)) if hq in held else set()


def survey_by_networkx(graph: nx.Graph[int], position: Position) -> list[set[int]]:
    """Return the supply of both factions from the units, asked of networkx."""
    areas = range(len(position.board.areas))
    held = [[area for area in areas if any(row[area] for row in rows)] for rows in position.units]
    return [linked_by_networkx(graph, hq, areas) for hq, areas in zip(position.board.hq, held, strict=True)]


def compare_supply(positions: list[Position], seconds: float) -> None:
    """Print both supply figures, after checking that the answers agree."""
    board = positions[0].board
    graph, flood = graph_of(board), board.adjacency.flood
    for position in positions:
        assert [set(members(areas)) for areas in survey_of(position).supply] == survey_by_networkx(graph, position)
    masks = [(hq, mask) for p in positions for hq, mask in zip(board.hq, survey_of(p).control, strict=True)]
    lists = [(hq, list(members(mask))) for hq, mask in masks]
    ours = rate(lambda: [flood(1 << hq, mask) for hq, mask in masks], seconds) * len(masks)
    theirs = rate(lambda: [linked_by_networkx(graph, hq, held) for hq, held in lists], seconds) * len(lists)
    print(f"supply, given control   {ours:10.0f} a second, {ours / theirs:.0f} times networkx (aim 50)")
    ours = rate(_each(survey_of, positions), seconds) * len(positions)
    theirs = rate(_each(lambda p: survey_by_networkx(graph, p), positions), seconds) * len(positions)
    print(f"supply, from the units  {ours:10.0f} positions a second, {ours / theirs:.0f} times networkx")


def whole_game(seed: int) -> tuple[Position, list[Step]]:
    """Return a random game from its start, with all its steps."""
    games = random_games(seed)
    begun, steps = next(games)
    for before, turn in games:
        if before.round == 1 and before.discard == () and sum(before.commanders_left) == 10:
            break
        steps += turn
    return begun, steps


def compare_fold(seed: int, seconds: float) -> None:
    """Print how long folding 300 steps takes, from whole games one after the other."""
    games = [whole_game(seed + i) for i in range(8)]
    steps = sum(len(game) for _, game in games)
    runs = rate(lambda: [fold(begun, game) for begun, game in games], seconds)
    print(f"folding 300 steps       {1000 * 300 / (runs * steps):10.1f} ms (aim 30)")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    games = random_games(args.seed)
    positions = [before for before, _ in (next(games) for _ in range(500))]

    print(f"random legal turns      {rate(lambda: next(games), args.seconds):10.0f} a second (aim 8000)")
    legal = rate(_each(lambda p: options(_fresh(p)), positions), args.seconds) * len(positions)
    print(f"legal sets              {legal:10.0f} a second (aim 20000)")

    compare_supply(positions, args.seconds)
    compare_fold(args.seed, args.seconds)


if __name__ == "__main__":
    main()
