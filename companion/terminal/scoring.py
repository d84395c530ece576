"""The score of a position or of a photo: points, supply, who wins and why, and what the eye was unsure of."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from companion.perception.adapters import Seen, position_from_reading, reading_json, sure_of, with_game
from companion.text.columns import columns, listed
from companion.text.outcome import Outcome, outcome
from engine.orders.board import Board, load_board
from engine.orders.position import Position
from engine.orders.supply import cut, supply
from engine.systems import SYSTEMS
from intake.text import one_line


def outcome_text(position: Position, ended: Outcome) -> str:
    """Points, areas in supply and cut off, and the winner with the reasons, on a few lines."""
    supplied, cut_off = supply(position), cut(position)
    rows = [["faction", "points", "from", "supplies", "cut off"]]
    for faction in position.board.factions:
        points = ", ".join(f"{area} {n}" for area, n in ended.score.areas.get(faction, {}).items()) or "–"
        vp = str(ended.score.vp[faction])
        rows.append([faction, vp, points, listed(supplied[faction]), listed(cut_off[faction])])
    verdict = f"{ended.winner} wins" if ended.winner else "a tie"
    return "\n".join([columns(rows), verdict, *(f"  {sentence}" for sentence in ended.why)])


def outcome_json(position: Position, ended: Outcome) -> dict[str, Any]:
    """The referee's answer to `score`, with supply, what is cut off, and the reasons."""
    return {
        "vp": dict(ended.score.vp),
        "areas": {faction: dict(areas) for faction, areas in ended.score.areas.items()},
        "winner": ended.winner,
        "reason": ended.reason,
        "why": list(ended.why),
        "supply": {faction: list(areas) for faction, areas in supply(position).items()},
        "cut": {faction: list(areas) for faction, areas in cut(position).items()},
    }


def hidden_headquarters(board: Board, seen: Seen) -> str | None:
    """A warning where it cannot be told whether a headquarters still stands."""
    doubtful = [area for area in board.areas if area.hq and not sure_of(seen, area.name)]
    homes = [f"{area.hq}'s headquarters {area.name}" for area in doubtful]
    return f"{' and '.join(homes)} could not be read for sure, which may decide the game" if homes else None


def score_position(name: str, as_json: bool) -> int:
    """Print the score of a position or saved game of any system; 0."""
    from companion.terminal.inputs import load_any
    from companion.terminal.reports import notice

    loaded = load_any(name)
    notice(loaded.notice)
    text, data = _scored(loaded.system.name, loaded.position)
    print(json.dumps(data(), ensure_ascii=False) if as_json else text())
    return 0


def _scored(system: str, position: Any) -> tuple[Callable[[], str], Callable[[], dict[str, Any]]]:
    """How a position stands, as text and for programs."""
    if system == SYSTEMS[0]:
        ended = outcome(position)
        return partial(outcome_text, position, ended), partial(outcome_json, position, ended)
    from companion.terminal import retold

    return partial(retold.stands_text, system, position), partial(retold.stands_json, system, position)


@dataclass(frozen=True, slots=True)
class PhotoScore:
    """The score of a photo: the position as read, its outcome, and how sure the eye was."""

    position: Position
    ended: Outcome
    text: str
    data: Mapping[str, Any]


def photo_score(table_path: str, frame: str, game: str | None) -> PhotoScore:
    """Read a picture and score it; errors name the file at fault."""
    from companion.perception.table_file import load_table, read_frame
    from companion.terminal import eye
    from companion.terminal.inputs import load_position
    from companion.terminal.reports import notice

    table = load_table(table_path)
    board = load_board(table.plan.board)
    loaded = load_position(game) if game else None
    notice(loaded.notice if loaded else None)
    seen = read_frame(table, frame)
    if loaded is not None:
        seen = with_game(seen, loaded.position)
    position = position_from_reading(board, seen, loaded.position if loaded else None)
    ended = outcome(position, initiative_known=loaded is not None)
    warning = hidden_headquarters(board, seen)
    if warning:
        ended = replace(ended, why=(*ended.why, warning))
    parts = [_known_text(position, game), outcome_text(position, ended), eye.unsure_text(table, seen)]
    data = outcome_json(position, ended) | reading_json(frame, seen) | {"unsure": eye.unsure_json(table, seen)}
    return PhotoScore(position, ended, "\n".join(parts), data)


def _known_text(position: Position, game: str | None) -> str:
    if game is None:
        return "as read from the picture; round and initiative are not known"
    known = f"round {position.round}, initiative {position.initiative_name}"
    return f"as read from the picture; {known}, from {one_line(game)}"


def score_photo(table_path: str, frame: str, game: str | None, as_json: bool) -> int:
    """Print the score of a picture; 0."""
    found = photo_score(table_path, frame, game)
    print(json.dumps(found.data, ensure_ascii=False) if as_json else found.text)
    return 0
