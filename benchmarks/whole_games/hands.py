"""Records a game on a simulated table: what the demo's player plays, done by hands, piece by piece.

A commander is put on its space, units are moved one after the other, dice are thrown, losses taken off, and at a
round's end the commanders go home. Some of the boards between are kept, for about as long as people pause. Cards that
are played are laid face up beside the board, each with the code that is printed for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from math import dist, pi
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.whole_games.recording import (
    AT_REST,
    GAME,
    HOME,
    MOVING,
    OVER,
    THROWN,
    Recording,
    RecordingWriter,
    at_rest,
)
from companion.demo.autoplayer import Autoplayer
from companion.demo.player import set_up
from companion.demo.table import COMMANDER, OwnersPhotos, SimulatedTable
from companion.games.match import Match
from companion.perception.adapters import plan_of
from engine.orders import game
from engine.orders.board import Board
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Accept, Deploy, Play, Roll, Step, cards_of
from vision.bases.markers import marker_picture
from vision.geometry import Picture
from vision.live.printed import CARD_SIDE_MM, FIRST
from vision.simulation.dice import Body
from vision.simulation.draw import GAMMA, face_light, paste
from vision.simulation.placing import PlacedPiece
from vision.simulation.props import Hand, card_corners, draw_card, reach_in
from vision.simulation.random_scenes import in_other_light, random_scene
from vision.simulation.table import BOARD_THICKNESS_MM, Studio
from vision.simulation.tables import random_manner

PX_PER_MM = 3.0
QUIET_MM = 4.0
TURN_RAD = 0.3
"""So far cards are turned from the board's edge, at most."""
FROM_BORDER_PX, TRIES = 30, 400
APART_MM, ROOM_MM, AWAY_MM = 110.0, 75.0, 58.0
"""How far cards' middles are from each other, from those of what lies beside the board, and from the board."""


class CardFaceUp(NamedTuple):
    """A card on the table: its number in the deck, where its middle is (board mm), how far it is turned."""

    number: int
    at_mm: tuple[float, float]
    turn_rad: float


class CardsFaceUp:
    """Where players lay what they play, on one table."""

    def __init__(self, studio: Studio, seed: int) -> None:
        self._studio = studio
        self._rng = np.random.default_rng([seed, 21])

    def lay(self, number: int, cards: tuple[CardFaceUp, ...]) -> tuple[CardFaceUp, ...]:
        """Lay one more card beside those that lie there; none if the camera sees no free place."""
        width, height = self._studio.scene.camera.size_px
        for _try in range(TRIES):
            pixel = self._rng.uniform((0.0, 0.0), (width, height))
            x, y = self._studio.scene.camera.board_mm(pixel)
            card = CardFaceUp(number, (float(x), float(y)), float(self._rng.uniform(-TURN_RAD, TURN_RAD)))
            if self._is_free(card, cards):
                return (*cards, card)
        return cards

    def _is_free(self, card: CardFaceUp, cards: tuple[CardFaceUp, ...]) -> bool:
        size = np.array(self._studio.scene.camera.size_px)
        corners_px = self._studio.scene.camera.px(self._corners(card))
        (width, height), (x, y) = self._studio.plan.size_mm, card.at_mm
        is_inside = bool((corners_px > FROM_BORDER_PX).all() and (corners_px < size - FROM_BORDER_PX).all())
        return (
            is_inside
            and max(-x, x - width, -y, y - height) > AWAY_MM
            and all(dist(card.at_mm, other.at_mm) > APART_MM for other in cards)
            and all(dist(card.at_mm, solid.at_mm) > ROOM_MM for solid in self._studio.clutter)
        )

    @staticmethod
    def _corners(card: CardFaceUp) -> npt.NDArray[np.float64]:
        return card_corners(card.at_mm, card.turn_rad, -BOARD_THICKNESS_MM)

    def draw(self, picture: Picture, cards: tuple[CardFaceUp, ...]) -> None:
        """Draw cards into a picture (H, W, 3) uint8 BGR of the table, in place."""
        scene = self._studio.scene
        for card in cards:
            corners = self._corners(card)
            up = np.array([[0.0, 0.0, 1.0]])
            gain = face_light(scene.lights, scene.ambient, up, corners.mean(axis=0))[0] ** (1 / GAMMA)
            face = np.clip(face_of(card.number) * gain, 0, 255).astype(np.uint8)
            paste(picture, face, scene.camera.px(corners))


def face_of(number: int) -> Picture:
    """Return a card's face, (H, W, 3) uint8 BGR, its code in the middle of the upper half."""
    face = draw_card(np.random.default_rng([number, 22]), PX_PER_MM)
    side, quiet = round(CARD_SIDE_MM * PX_PER_MM), round(QUIET_MM * PX_PER_MM)
    code = np.pad(marker_picture(FIRST + number, side), quiet, constant_values=255)
    top, left = quiet, (face.shape[1] - len(code)) // 2
    face[top : top + len(code), left : left + len(code)] = code[..., None]
    return np.asarray(face, np.uint8)


SEEDS_FROM = 7_000_000
"""Tables with smaller numbers may have trained the eye."""
REST_S, ROUND_S, PAUSE_S, HAND_S, THROWN_S, HOME_S = 3.0, 6.0, 3.0, 1.0, 4.0, 5.0
MOST_PAUSES = 2
"""Boards in the middle of a turn that are left alone for long enough to be read."""
Pieces = tuple[PlacedPiece, ...]


@dataclass(frozen=True, slots=True)
class Deed:
    """A step of the game as the players know it.

    recorded_steps: how many steps the record has then; shown: the table, its commanders not yet taken home at a round's
    end.
    """

    step: Step
    recorded_steps: int
    shown: Position
    after: Position


@dataclass(frozen=True, slots=True)
class Sight:
    """Pieces, dice and the turn's cards on the table, and what hands have just done."""

    pieces: Pieces
    dice: tuple[Body, ...]
    cards: tuple[CardFaceUp, ...]
    steps: int
    hands: str


@dataclass(frozen=True, slots=True)
class Sitting:
    """A game on a table of any kind, both of this seed; at most so many turns of it.

    support: the support board lies beside the map, in the camera's sight; cards: whoever plays a card lays it face up
    where the camera sees it, with its printed code, until the next turn begins.
    """

    board: Board
    seed: int
    size_px: tuple[int, int] = (1280, 960)
    turns: int | None = None
    support: bool = False
    cards: bool = False


def record_game(folder: Path, sitting: Sitting) -> Recording:
    """Play and record a game, into an empty folder."""
    writer, board, seed = RecordingWriter(folder), sitting.board, sitting.seed
    hands = Hands(writer, sitting)
    initiative, bonuses = set_up(board, seed)
    match = Match.start(folder / GAME, board.name, initiative, bonuses)
    hands.begin(match.position)
    for deeds in islice(played_turns(match, seed), sitting.turns):
        hands.do(deeds)
    match.close()
    return writer.finish()


# ---- what is played -----------------------------------------------------------------------------


def played_turns(match: Match, seed: int) -> Iterator[tuple[Deed, ...]]:
    """Yield turn after turn, played into a match.

    The record has only the number of cards drawn, as where hands are hidden.
    """
    player, known = Autoplayer(seed), match.position
    while known.winner is None:
        before, steps = [known], list[Step]()
        while not steps or known.turn is not None:
            steps.append(player.step(known))
            known = game.apply(known, steps[-1])
            before.append(known)
        counts = _tell(match, [_hidden(step) for step in steps])
        while known.winner is not None and game.owed(match.position) is not None:
            match.offer(Accept())
            counts[-1] = len(match.steps)
        shown = (_before_homecoming(*pair, step) for pair, step in zip(pairwise(before), steps, strict=True))
        yield tuple(map(Deed, steps, counts, shown, before[1:]))


def _hidden(step: Step) -> Step:
    """Return the step without the names of cards that are drawn."""
    return replace(step, draw=len(step.draw)) if isinstance(step, Deploy) and isinstance(step.draw, tuple) else step


def _tell(match: Match, steps: Sequence[Step]) -> list[int]:
    """Record a turn, and return how many steps the record has after each of its steps."""
    counts, left = list[int](), list(steps)
    while left:
        both = with_card(match.position, *left[:2])
        ruling = match.offer(both or left[0])
        # where hands are hidden other windows are open than where they are known: those of cards that may be held
        assert ruling.legal or isinstance(left[0], Accept), f"{left[0]}: {ruling.objections}"
        counts += [len(match.steps)] * (2 if both else 1)
        del left[: 2 if both else 1]
    return counts


def with_card(position: Position, step: Step, play: Step | None = None) -> Deploy | None:
    """Return a deployment with the card its player adds at once, as the screen asks for it; None for other steps.

    The units that the card brings from the reserve are the deployment's then.
    """
    if not isinstance(step, Deploy) or not isinstance(play, Play) or play.by != position.to_move_name:
        return None
    joining = ((RESERVE, position.board.mode.cards[play.card].unit, play.units),) if play.units else ()
    place = Counter({(area, unit): n for area, unit, n in step.place})
    place.update({(area, unit): n for area, unit, n in play.place})
    both = replace(
        step,
        cards=(*step.cards, play.card),
        moves=step.moves + joining,
        place=tuple((area, unit, n) for (area, unit), n in place.items()),
    )
    if not game.judge(position, both).legal:
        return None
    apart = game.apply(game.apply(position, step), play)
    return both if at_rest(game.apply(position, both)) == at_rest(apart) else None


def _before_homecoming(before: Position, after: Position, step: Step) -> Position:
    """Return the table after a step, at a round's end with the commanders that are still to be taken home."""
    if after.round == before.round:
        return after
    held = list(before.commanders)
    if isinstance(step, Deploy):
        held[before.to_move] |= 1 << before.board.space_index[step.space]
    return replace(after, commanders=(held[0], held[1]))


def _table_of(sitting: Sitting) -> SimulatedTable:
    seed = SEEDS_FROM + sitting.seed
    scene = random_scene(seed, plan_of(sitting.board), sitting.size_px)
    habits = random_manner(seed, scene.look).habits
    return SimulatedTable(sitting.board, seed, sitting.support, scene, habits)


def photos_of_another_day(sitting: Sitting) -> OwnersPhotos:
    """Return the photos that the owner of a game's table took on another day, in other light."""
    table = _table_of(sitting)
    rng = np.random.default_rng([SEEDS_FROM + sitting.seed, 21])
    table.studio = table.studio.in_light_of(in_other_light(table.studio.scene, table.plan, rng))
    return table.owners_photos()


# ---- what hands do ------------------------------------------------------------------------------


class Hands:
    """Two people's hands at a simulated table, and the camera above it."""

    def __init__(self, writer: RecordingWriter, sitting: Sitting) -> None:
        self._writer, self._table = writer, _table_of(sitting)
        writer.add_other_light(photos_of_another_day(sitting))
        writer.add_table(sitting.board.name, self._table.owners_photos(), f"simulated, seed {sitting.seed}")
        self._rng = np.random.default_rng([sitting.seed, 20])
        self._throws_in_sight = self._rng.random() < 0.5
        self._face_up = CardsFaceUp(self._table.studio, sitting.seed) if sitting.cards else None
        self._cards: tuple[CardFaceUp, ...] = ()
        self._recorded_steps = 0

    def begin(self, position: Position) -> None:
        """Lay the start."""
        self._table.lay(position)
        self._photograph(self._sight(AT_REST), REST_S)

    def do(self, deeds: Sequence[Deed]) -> None:
        """Do a turn: show some of the boards between, a hand, the whole of it at rest; after a round the way home."""
        self._cards = ()  # those of the last turn are put away
        between = [sight for deed in deeds for sight in self._sights(deed)][:-1]
        moving = [number for number, sight in enumerate(between) if sight.hands == MOVING]
        paused = set(self._rng.permutation(moving)[:MOST_PAUSES].tolist())
        end = self._sight(AT_REST)
        for number, sight in enumerate(between):
            if sight.hands == THROWN or number in paused:
                self._photograph(sight, THROWN_S if sight.hands == THROWN else PAUSE_S)
        self._photograph(replace(end, hands=OVER), HAND_S, self._reach_in())
        is_last = deeds[-1].shown is not deeds[-1].after  # of the round
        self._photograph(end, ROUND_S if is_last else REST_S)
        if is_last:
            self._take_commanders_home(end, deeds[-1].after)

    def _sights(self, deed: Deed) -> Iterator[Sight]:
        """Yield the table after the cards, the throw and each piece of a step."""
        self._lay_cards(deed)
        if isinstance(deed.step, Roll):
            if self._throws_in_sight:
                self._table.dice.throw(deed.step.dice)
            yield self._sight(THROWN)
        before = self._table.pieces
        self._table.lay(deed.shown)
        for pieces in one_by_one(before, self._table.pieces):
            yield replace(self._sight(MOVING), pieces=pieces)
        self._recorded_steps = deed.recorded_steps

    def _lay_cards(self, deed: Deed) -> None:
        names = list(deed.after.board.mode.cards)
        for card in cards_of(deed.step):
            if self._face_up is not None:
                self._cards = self._face_up.lay(names.index(card), self._cards)

    def _take_commanders_home(self, end: Sight, after: Position) -> None:
        self._table.lay(after)
        home = list(one_by_one(end.pieces, self._table.pieces))
        for pieces in home[1:-1:2]:
            self._photograph(replace(end, pieces=pieces, hands=HOME), HOME_S)
        self._photograph(replace(end, pieces=home[-1] if home else end.pieces), REST_S)

    def _sight(self, hands: str) -> Sight:
        return Sight(self._table.pieces, self._table.dice.lying, self._cards, self._recorded_steps, hands)

    def _reach_in(self) -> Hand:
        width, height = self._table.plan.size_mm
        at = float(self._rng.uniform(0, width)), float(self._rng.uniform(0, height))
        return reach_in(self._rng, at, float(self._rng.uniform(0, 2 * pi)))

    def _photograph(self, sight: Sight, for_s: float, hand: Hand | None = None) -> None:
        self._table.pieces, self._table.dice.lying = sight.pieces, ()
        picture = self._table.photo(hand)
        if self._face_up is not None:
            self._face_up.draw(picture, sight.cards)
        self._table.dice.lying = sight.dice  # dice may lie on a card
        self._table.dice.draw(picture)
        self._writer.add(picture, for_s, sight.steps, sight.hands)


def one_by_one(before: Pieces, after: Pieces) -> Iterator[Pieces]:
    """Yield the boards on the way from one position of the pieces to another.

    Commanders come first, then a piece at a time goes where it stands in the end, or off.
    """
    gone = [piece for piece in before if piece not in after]
    come = sorted((piece for piece in after if piece not in before), key=lambda piece: piece.kind != COMMANDER)
    now = before
    for piece in come:
        moved = next(
            (other for other in reversed(gone) if (other.faction, other.kind) == (piece.faction, piece.kind)), None
        )
        if moved is not None:
            gone.remove(moved)
        now = (*(other for other in now if other is not moved), piece)
        yield now
    for piece in reversed(gone):
        now = tuple(other for other in now if other is not piece)
        yield now
