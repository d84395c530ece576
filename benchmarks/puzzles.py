"""The puzzles of General Orders: looked into a second time, or made.

    python -m benchmarks.puzzles [--board B]... [--positions 600]
    python -m benchmarks.puzzles --make 200 [--most 16] [--first 0] [--board B]... [--out engine/data/puzzles]

A puzzle is a position of self-play in which one turn is far better than every other idea. The first command looks into
each of the packaged ones again and names those of which it isn't sure; its exit status is 1 where there are any.

To make them, games are played as `training.player_games` plays them. Where one space looks best by far at a glance, the
position is looked into for 30 positions, and if it still is, for ten times as many. A puzzle's best turn wins at least
25 % more often than any that uses another space. What is found is added to the board's table at once, so that the
command may be stopped and run again.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from engine.orders.board import board_names
from engine.orders.cards import hand_size
from engine.orders.game import apply, carry_out, judge
from engine.orders.player import LEVELS, Choice, Level, choose
from engine.orders.player.prospects import Turn, prospects
from engine.orders.player.puzzles import LEVELS_FINDING, Puzzle, Theme, opening, puzzles
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, OtherCorrections
from tests.notation import format_step
from training.player_games import expected, next_step, start

GLANCE, GAP = 0.15, 0.25
"""How much better the best space has to look at a glance, and to be."""
LOOKS, SURE = 30, 300
LEAST, IDEAS = 0.35, 4
"""The best turn has to win so often, and so many spaces have to be of use."""
FREEDOMS = (0.0, 0.01, 0.03, 0.06)
SHARE, EASY = 0.4, 0.7
"""No theme has a larger share of a board's puzzles, nor have those that `child` finds one larger than EASY."""


def play_on(board: str, number: int) -> Iterator[Position]:
    """Yield the positions of a game in which one space looks best by far at a glance."""
    rng = Random(f"puzzles {board} {number}")
    freedom, position = rng.choice(FREEDOMS), start(board, rng)
    striking = False

    def take(here: Position) -> Turn:
        nonlocal striking
        me, best = here.to_move, dict[str, float]()
        found = [(expected(here, turn, me), turn) for turn in prospects(here)]
        for value, turn in found:
            best[_space(turn)] = max(value, best.get(_space(turn), 0.0))
        first, *others = sorted(best.values(), reverse=True)
        striking = len(best) >= IDEAS and first >= LEAST and first - others[0] >= GLANCE
        return max(found, key=lambda pair: pair[0] + freedom * rng.expovariate(1.0))[1]

    while position.winner is None:
        striking, before = False, position
        step = next_step(position, take, rng)
        if striking:
            yield before
        position = carry_out(position, step).freeze()


def _space(turn: Turn) -> str:
    return turn.space if isinstance(turn, Deploy) else ""


def agreed_on(position: Position) -> Agreed:
    """Return the agreed step that leads from the opening to this position; only the mover's hand is known."""
    board, before = position.board, opening(position.board.name)
    areas = tuple(
        (area.name, tuple((who, unit, n) for who, units in here.items() for unit, n in units.items()))
        for area in board.areas
        if (here := position.units_in(area.name)) != before.units_in(area.name)
    )
    spaces = tuple((space.name, held) for space in board.spaces if (held := position.commanders_on(space.name)))
    passed = tuple(who for who, out in zip(board.factions, position.passed, strict=True) if out)
    hands = tuple(
        (who, hand if at == position.to_move else hand_size(hand))
        for at, (who, hand) in enumerate(zip(board.factions, position.hands, strict=True))
        if hand_size(hand)
    )
    other = OtherCorrections(
        standby=tuple(zip(board.factions, position.standby, strict=True)),
        left=tuple(zip(board.factions, position.commanders_left, strict=True)),
        hands=hands,
        initiative=position.initiative_name,
        round=position.round,
        bonuses=tuple((slot, token) for slot, token in zip(board.slots, position.bonuses, strict=True) if token),
        passed=passed or None,
    )
    return Agreed(areas, spaces, position.to_move_name, other=other)


def choose_clearly(position: Position, level: Level) -> Choice:
    """Return the choice, at this level's depth, of a player who overlooks nothing."""
    seen = replace(level, overlooks=0.0, freedom=0.0)
    return choose(position, position.to_move_name, seen, Random(0))


def is_clear(choice: Choice) -> bool:
    """Return whether the best turn is better than any other idea by the GAP."""
    best, *others = sorted((candidate.chance for candidate in choice.candidates), reverse=True)
    first = choice.candidates[0]
    return len(others) + 1 >= IDEAS and first.chance == best >= LEAST and best - others[0] >= GAP


def puzzle_in(position: Position) -> dict[str, str | float] | None:
    """Return a position as a row of the puzzles' table; None if it is no puzzle."""
    told = agreed_on(position)
    begin = opening(position.board.name)
    if not judge(begin, told).legal:
        return None
    position = apply(begin, told)
    if not is_clear(choose_clearly(position, Level("look", LOOKS, refines=1))):
        return None
    sure = choose_clearly(position, Level("sure", SURE, refines=1))
    if not is_clear(sure):
        return None
    best, other = sure.candidates[:2]
    finding = (
        name for name in LEVELS_FINDING[:-1] if _space(choose_clearly(position, LEVELS[name]).turn) == _space(best.turn)
    )
    return {
        "at": format_step(told),
        "turn": format_step(best.turn),
        "theme": theme_of(position, best.turn, [reason.code for reason in best.reasons]),
        "found_by": next(finding, LEVELS_FINDING[-1]),
        "chance": round(best.chance, 2),
        "other": round(other.chance, 2),
    }


def is_wanted(told: dict[str, str | float], found: Sequence[dict[str, str | float]], most: int) -> bool:
    """Return whether a puzzle is new, and neither its theme nor easy ones have their fill yet."""
    if any(other["at"] == told["at"] for other in found):
        return False
    alike = sum(other["theme"] == told["theme"] for other in found)
    easy = sum(other["found_by"] == LEVELS_FINDING[0] for other in found)
    return alike < SHARE * most and (told["found_by"] != LEVELS_FINDING[0] or easy < EASY * most)


def theme_of(position: Position, turn: Turn, codes: Sequence[str]) -> Theme:
    """Return what a turn teaches, by what it is and does; codes: of its reasons."""
    verb = position.board.space(turn.space).action.verb if isinstance(turn, Deploy) else ""
    if isinstance(turn, Deploy) and turn.cards:
        return "card"
    themes: tuple[tuple[Theme, bool], ...] = (
        ("headquarters", "wins" in codes),
        ("hold", "guards" in codes),
        ("supply", "cuts" in codes or "links" in codes),
        ("shot", verb == "shoot"),
        ("initiative", "initiative" in codes),
        ("hold", "holds" in codes),
    )
    return next((theme for theme, holds in themes if holds), "ground")


def write_puzzles(path: Path, found: Sequence[dict[str, str | float]]) -> None:
    """Write a board's table of puzzles."""
    lines = ["# Puzzles made by self-play (benchmarks/puzzles.py).", "puzzles = ["]
    for told in found:
        parts = (f"{key} = '{value}'" if isinstance(value, str) else f"{key} = {value}" for key, value in told.items())
        lines.append(f"  {{ {', '.join(parts)} }},")
    path.write_text("\n".join([*lines, "]"]) + "\n", encoding="utf-8")


def read_puzzles(path: Path) -> list[dict[str, str | float]]:
    """Read a board's table, to be added to; nothing where there is none."""
    return tomllib.loads(path.read_text(encoding="utf-8"))["puzzles"] if path.exists() else []


def make(boards: Sequence[str], numbers: range, most: int, folder: Path) -> None:
    """Play games of these numbers until each board has enough puzzles, and write each that is found."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in numbers:
        for board in boards:
            path = folder / f"{board}.toml"
            found = read_puzzles(path)
            for position in play_on(board, number) if len(found) < most else ():
                told = puzzle_in(position)
                if told is not None and is_wanted(told, found, most):
                    write_puzzles(path, [*found, told])
                    print(f"{board} {number}: {told['theme']}, {told['found_by']}, {told['chance']}", flush=True)
                    break  # the next ones of this game are much the same


def doubts(puzzle: Puzzle, positions: int) -> str:
    """Return what a second look at a puzzle finds wrong with it; "" for nothing."""
    choice = choose_clearly(puzzle.start(), Level("again", positions, refines=4))
    best = choice.candidates[0]
    if _space(best.turn) != _space(puzzle.turn):
        return f"{format_step(best.turn)} is better"
    return (
        "" if is_clear(choice) else f"not clear: {[round(candidate.chance, 2) for candidate in choice.candidates[:2]]}"
    )


def main() -> int:
    """Check the packaged puzzles, or make some; 1 where there is a doubt about one."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument(
        "--make", type=int, metavar="GAMES", help="make puzzles, from so many games of each board at most"
    )
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--most", type=int, default=16, help="puzzles on each board")
    parser.add_argument("--board", action="append", help="a board; more than once for several")
    parser.add_argument("--out", type=Path, default=Path("engine/data/puzzles"))
    parser.add_argument("--positions", type=int, default=2 * SURE, help="how many to look into for each")
    args = parser.parse_args()
    boards = args.board or board_names()
    if args.make is not None:
        make(boards, range(args.first, args.first + args.make), args.most, args.out)
        return 0
    wrong = 0
    for puzzle in (puzzle for board in boards for puzzle in puzzles(board)):
        doubt = doubts(puzzle, args.positions)
        wrong += bool(doubt)
        print(f"{puzzle.key} {puzzle.theme:12} {puzzle.found_by:6} {doubt or 'sure'}", flush=True)
    print(f"{wrong} in doubt")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
