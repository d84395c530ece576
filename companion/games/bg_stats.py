"""A finished game as BG Stats takes it: a link that a phone with that app opens to log the play.

The link's form is BG Stats' own (its support page "Push plays to BG Stats from other apps or websites"): one JSON
object behind `createPlay.html?data=`. The app asks before it keeps anything, and matches game and players by name.
Nothing is sent from here: the link is only shown, as a QR code.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Gunbai"


@dataclass(frozen=True, slots=True)
class LoggedPlayer:
    """A player's part in a play: whom they played, their points (None where the game counts none), how it ended."""

    name: str
    role: str
    points: int | None
    won: bool
    began: bool = False


@dataclass(frozen=True, slots=True)
class LoggedPlay:
    """A play. key: the same for the same course of a game, so that it is not logged twice; ended_s: since the epoch."""

    key: str
    game: str
    board: str
    ended_s: float
    players: Sequence[LoggedPlayer]


def play_link(play: LoggedPlay) -> str:
    """Return the link that logs a play in BG Stats."""
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
    return ADDRESS + quote(line, safe=":,", errors="replace")  # half a surrogate pair has no bytes: a question mark


def _player(player: LoggedPlayer) -> dict[str, object]:
    told = {
        "name": player.name,
        "sourcePlayerId": player.name,
        "role": player.role,
        "winner": player.won,
        "startPlayer": player.began,
    }
    return told if player.points is None else told | {"score": player.points}
