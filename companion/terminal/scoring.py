"""The score of a position or of a photo: points, supply, who wins and why, and what the eye was unsure of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.core.language import _
from companion.perception.adapters import Seen, position_from_reading, reading_json, sure_of, with_game
from companion.terminal.orders import outcome_json, outcome_text
from companion.text.score import BoardOutcome, board_outcome
from engine.orders.board import Board, load_board
from engine.orders.position import Position
from intake.text import one_line


def hidden_headquarters_warning(board: Board, seen: Seen) -> str | None:
    """Return a warning if a headquarters could not be read for sure; None if all could."""
    doubtful = [area for area in board.areas if area.hq and not sure_of(seen, area.name)]
    form = _("{who}'s headquarters {area} could not be read for sure, which may decide the game")
    told = [form.format(who=_(area.hq or ""), area=area.name) for area in doubtful]
    return "; ".join(told) or None


def score_position(name: str, as_json: bool) -> int:
    """Print the score of a position or saved game of any system; 0."""
    from companion.terminal.inputs import load_any
    from companion.terminal.reports import REPORTS, notice

    loaded = load_any(name)
    notice(loaded.notice)
    report, position = REPORTS.of(loaded.system.name), loaded.position
    print(json.dumps(report.score_json(position), ensure_ascii=False) if as_json else report.score_text(position))
    return 0


@dataclass(frozen=True, slots=True)
class PhotoScore:
    """The score of a photo: the position as read, its outcome, and how sure the eye was."""

    position: Position
    ended: BoardOutcome
    text: str
    data: Mapping[str, Any]


def photo_score(table_path: str, frame: str, game: str | None, corners: str | None = None) -> PhotoScore:
    """Read a picture and score it; errors name the file at fault.

    corners: where the board lies in the picture, as `--corners` has it.
    """
    from companion.core.progress import progress
    from companion.perception.table_file import read_frame, tables_of
    from companion.terminal import eye
    from companion.terminal.inputs import load_position
    from companion.terminal.reports import notice

    shown = None if corners is None else eye.parse_corners(corners)
    tables = tables_of(table_path, game)
    table = tables[0]
    board = load_board(table.plan.board)
    loaded = load_position(game) if game else None
    notice(loaded.notice if loaded else None)
    with progress(frame):
        seen = read_frame(tables, frame, shown)
    eye.tell_unless_found(frame, seen)
    if loaded is not None:
        seen = with_game(seen, loaded.position)
    position = position_from_reading(board, seen, loaded.position if loaded else None)
    ended = board_outcome(position, initiative_known=loaded is not None)
    warning = hidden_headquarters_warning(board, seen)
    if warning:
        ended = replace(ended, why=(*ended.why, warning))
    known = _("as read from the picture; round and initiative are not known")
    if game is not None:
        form = _("as read from the picture; round {n}, initiative {who}, from {place}")
        known = form.format(n=position.round, who=_(position.initiative_name), place=one_line(game))
    parts = [known, outcome_text(position, ended), eye.unsure_text(table, seen)]
    data = outcome_json(position, ended) | reading_json(frame, seen) | {"unsure": eye.unsure_json(table, seen)}
    return PhotoScore(position, ended, "\n".join(parts), data)


def score_photo(table_path: str, frame: str, game: str | None, corners: str | None, as_json: bool) -> int:
    """Print the score of a picture; 0."""
    found = photo_score(table_path, frame, game, corners)
    print(json.dumps(found.data, ensure_ascii=False) if as_json else found.text)
    return 0
