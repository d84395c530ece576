"""What people share from the app: a result as a picture and a text, on a stick or in a folder, or as a link."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import quote

from companion.core.errors import MatchError
from companion.core.sticks import stick_or
from companion.core.storage import atomic_write, data_dir

FOLDER = "shared"

Draw = Callable[[Path], None]
"""Draws a picture into a PNG file at this path; OSError if it cannot be written."""


def day_of(path: Path) -> str:
    """Return the day a file was last written, by the machine's clock, such as "2026-11-21"."""
    return date.fromtimestamp(path.stat().st_mtime).isoformat()


def shared_dir() -> Path:
    """Return the folder to share into, created if missing: on a memory stick if there is one. OSError if it fails."""
    folder = stick_or(data_dir() / FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def share(name: str, text: str, draw: Draw | None) -> tuple[Path, ...]:
    """Write `name.txt`, and `name.png` if given `draw`, replacing earlier ones; return the paths, the picture first.

    MatchError if the disk refuses.
    """
    folder = stick_or(data_dir() / FOLDER)
    written = [folder / f"{name}.txt"]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        atomic_write(written[0], text.encode())
        if draw is not None:
            written.insert(0, folder / f"{name}.png")
            draw(written[0])
    except OSError as error:
        raise MatchError(f"{folder}: can't be written ({error.strerror})") from error
    return tuple(written)


# --- a finished game as BG Stats takes it ------------------------------------------------------
#
# The link's form is BG Stats' own (its support page "Push plays to BG Stats from other apps or websites"): one JSON
# object behind `createPlay.html?data=`. The app asks before it keeps anything, and matches game and players by name.
# Nothing is sent from here: the link is only shown, as a QR code.

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Gunbai"


@dataclass(frozen=True, slots=True)
class LoggedPlayer:
    """A player in a play: their name and side, their points (None if the game counts none), and whether they won."""

    name: str
    role: str
    points: int | None
    won: bool
    began: bool = False


@dataclass(frozen=True, slots=True)
class LoggedPlay:
    """One play to be logged. key: equal for the same course of a game, to avoid duplicates; ended_s: in Unix time."""

    key: str
    game: str
    board: str
    ended_s: float
    players: Sequence[LoggedPlayer]


def play_link(play: LoggedPlay) -> str:
    """Return the link that logs a play in the app BG Stats."""
    ended = datetime.fromtimestamp(play.ended_s, UTC)
    counted = all(player.points is not None for player in play.players)
    told = {
        "sourceName": SOURCE,
        "sourcePlayId": play.key,
        "playDate": f"{ended:%Y-%m-%d %H:%M:%S}",
        "game": {"name": play.game, "sourceGameId": play.game, "highestWins": True, "noPoints": not counted},
        "board": play.board,
        "players": [_player(player) for player in play.players],
    }
    line = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return ADDRESS + quote(line, safe=":,", errors="replace")  # a lone surrogate becomes a question mark


def _player(player: LoggedPlayer) -> dict[str, object]:
    told = {
        "name": player.name,
        "sourcePlayerId": player.name,
        "role": player.role,
        "winner": player.won,
        "startPlayer": player.began,
    }
    return told if player.points is None else told | {"score": player.points}
