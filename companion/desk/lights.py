"""What the lamps show: a pure function of the state of the game at the table.

A lamp cannot be black: the black faction's light is white, as its letters are on the screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.games.status import Situation
from companion.perception.sync.status import SyncStatus
from hardware.lights import DARK, OFF, Colour, Lights

FACTIONS: Mapping[str, Colour] = {
    "red": (1.0, 0.0, 0.0),
    "black": (1.0, 1.0, 1.0),
    "blue": (0.0, 0.2, 1.0),
    "yellow": (1.0, 0.7, 0.0),
}
IN_PALETTE: Mapping[str, Mapping[str, Colour]] = {  # for eyes to which red is dim or green: as on the screen, orange
    "deuteranopia": {"red": (1.0, 0.35, 0.0)},
    "protanopia": {"red": (1.0, 0.45, 0.0)},
}
ROUND: Colour = (0.3, 0.3, 0.3)
FAINT = 0.12  # of its light that a side's end of the strip keeps while the table waits for the other one
TURN_S = 0.8
"""Where the table waits for both, the lamp shows each so long."""
UNSURE = ("unsure", "lost")
MOST_ROUNDS = 6  # a lamp each on the strip; a game of more shows none


@dataclass(frozen=True, slots=True)
class State:
    """What there is to show: the game's state (None: no game), what the camera means, the palette."""

    game: Situation | None = None
    sense: SyncStatus = field(default_factory=SyncStatus)
    palette: str = "standard"
    motion: bool = True


def colour_of(faction: str, palette: str = "standard") -> Colour:
    """Return the colour of a faction's light."""
    return IN_PALETTE.get(palette, {}).get(faction) or FACTIONS[faction]


def lights(state: State, now_s: float = 0.0) -> Lights:
    """Return all lamps for the state of the table; dark where there is no game.

    turn: whom the table waits for, one after the other where it waits for both; the winner once the game is over.
    The strip: an end for each side, bright while it is waited for, and between them a lamp for each round begun, where
    there is a fixed number of them.
    """
    game = state.game
    if game is None:
        return OFF
    shining = [game.winner] if game.winner is not None else [side for side in game.sides if side in game.waits_for]
    number = int(now_s / TURN_S) if state.motion else 0
    return Lights(
        turn=colour_of(shining[number % len(shining)], state.palette) if shining else DARK,
        initiative=colour_of(game.rounds.initiative, state.palette) if game.rounds.initiative else DARK,
        unsure=state.sense.sign in UNSURE or state.sense.question is not None,
        out_of_sync=state.sense.sign == "out",
        strip=_strip(game, shining, state.palette),
    )


def _strip(game: Situation, shining: Sequence[str], palette: str) -> tuple[Colour, ...]:
    ends: list[Colour] = []
    for faction in game.sides:
        (red, green, blue), light = colour_of(faction, palette), 1.0 if faction in shining else FAINT
        ends.append((red * light, green * light, blue * light))
    most = game.rounds.most if game.rounds.most <= MOST_ROUNDS else 0
    return ends[0], *(ROUND if n < game.rounds.n else DARK for n in range(most)), ends[1]
