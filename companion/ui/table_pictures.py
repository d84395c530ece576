"""What is always seen of the table, and the pictures of it: its status, the map, a photo, a board image.

The card game's battlefield is another of them, and so is a board that is being traced. Cards lie before people as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.ui.battlefield_picture import FieldPicture
from companion.ui.intents import Place, Tone
from engine.orders.board import Board


@dataclass(frozen=True, slots=True)
class CardSight:
    """A general on the battlefield. points: military and intelligence; more: those beyond its card's own.

    worn: kinds of its equipment, "item" and "troop". states: of "fresh", "acted" and "used" (its special effect), and
    "effect" where it has one to use. mark: "", "chosen", "live" or "target".
    """

    label: str
    seat: str
    title: str
    points: tuple[int, int]
    more: tuple[int, int] = (0, 0)
    worn: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ZoneSight:
    """A zone of the battlefield: the side whose city it belongs to, and "city" inside it or "outside" before it.

    name: "red/city"; cards: the near side's first. mark: "", "chosen" or "live".
    """

    name: str
    seat: str
    kind: str
    title: str
    cards: tuple[CardSight, ...]
    mark: str = ""


@dataclass(frozen=True, slots=True)
class PileSight:
    """A pile beside the battlefield, "resources", "hand", "expended" or "defeated", and how many cards it has.

    less: how many the end of the turn takes from it; warns: whether that is more than it has.
    """

    kind: str
    title: str
    n: int
    less: int = 0
    warns: bool = False


@dataclass(frozen=True, slots=True)
class DuelPicture:
    """The battlefield: four zones, the far side's city first, and the piles of the near and of the far side.

    seats: the near and the far side; to_move: whose turn it is, "" once the game is over. A touch on a general is
    Intent("general", "red/label"), on a zone Intent("zone", "red/city"), on the piles of a side Intent("pile", "red").
    """

    zones: tuple[ZoneSight, ...]
    piles: tuple[tuple[PileSight, ...], tuple[PileSight, ...]]
    seats: tuple[str, str] = ("red", "black")
    to_move: str = ""


def turn_picture(picture: DuelPicture) -> DuelPicture:
    """Return the same battlefield as the player opposite sees it."""
    zones = tuple(replace(zone, cards=tuple(reversed(zone.cards))) for zone in reversed(picture.zones))
    near, far = picture.piles
    return replace(picture, zones=zones, piles=(far, near), seats=picture.seats[::-1])


Outline = tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class TracedArea:
    """An area, or a zone's section: its outline, its kind ("land", "water", "air", "" for a hex of none), its name.

    zone: the colour of the air zone above it or of the section; state: "", "chosen" or "bad".
    """

    outline: Outline
    kind: str
    name: str = ""
    at: Place = (0.0, 0.0)
    zone: str = ""
    fort: bool = False
    state: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something printed on a board: its sign (an icon's name, "points", "unit" or "dot"), place, text and faction.

    what: the unit of a "unit"; in_hex: an action space, drawn in its small hex.
    """

    sign: str
    at: Place
    text: str = ""
    faction: str = ""
    what: str = ""
    in_hex: bool = False


@dataclass(frozen=True, slots=True)
class DraftPicture:
    """The straight photo (a JPEG, or the part of it that is looked at) in the map's place, and what lies over it.

    Places are parts of its width and height. piers: from the land's middle to the water's. half: half the size of a
    small hex, as a part of the width. A touch is Intent("trace", at=...), n 0 as the finger comes down, 1 as it moves,
    2 as it leaves. loupe: what is under the finger, enlarged.
    """

    data: bytes
    size_px: tuple[int, int]
    areas: tuple[TracedArea, ...] = ()
    marks: tuple[Mark, ...] = ()
    piers: tuple[tuple[Place, Place], ...] = ()
    half: float = 0.025
    loupe: bytes = b""
    loupe_left: bool = True
    box: Outline = ()


@dataclass(frozen=True, slots=True)
class Tell:
    """An icon with a few words or a number beside it; in a warning's colour and with a mark where it warns.

    short: said where there is no room for the text.
    """

    sign: str
    text: str
    warns: bool = False
    short: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """A faction's line of the status: everything public about it.

    player: its player's name, where one was given (the label has it too); ahead: it would win if the game ended now;
    by_hand: which of "points", "left", "standby", "hand" and "initiative" the players set themselves. points: -1 where
    the game counts none. tells: in a game without commanders, up to two rows that stand in place of them and the cards.
    """

    faction: str
    label: str
    points: int
    commanders_left: int
    standby: int
    commanders: int
    hand: int
    initiative: bool
    to_move: bool
    clock: str = ""  # thinking time left, "" without a clock
    clock_low: bool = False
    clock_runs: bool = False
    ahead: bool = False
    by_hand: frozenset[str] = frozenset()
    player: str = ""
    tells: tuple[tuple[Tell, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Status:
    """What is always visible at the table. `live` is the camera's sign (companion.perception.sync.status.Sign), or "".

    clock: "runs" or "paused", "" without one; a touch on it is Intent("clock"). unsaved: what only the memory has, "3
    steps", where the disk refuses, else ""; a touch on it is Intent("unsaved"). title: said in place of the round where
    a game has none, with `tells` in place of the piles. menu: whether the menu and the lock are at hand.
    """

    round: int
    rounds: int
    deck: int
    sides: tuple[Side, ...]
    live: str = ""
    live_text: str = ""
    clock: str = ""
    discard: int = 0
    unsaved: str = ""
    title: str = ""
    tells: tuple[Tell, ...] = ()
    menu: bool = True


@dataclass(frozen=True, slots=True)
class Stack:
    """Units of one faction and kind in an area; `change` is what the open form adds or takes away."""

    faction: str
    unit: str
    n: int
    change: int = 0


@dataclass(frozen=True, slots=True)
class AreaPicture:
    """An area on the map.

    `mark` is "" or what the open form says of it: "live", "chosen" or "target"; `check` is the camera's: "",
    "differs" or "hidden"; `change` is what the form would do to its supply: "", "gained" or "cut"; `earns` is who
    gets its points now, where that is shown; `by_hand`: the players set what stands there. `repeats`: every touch
    on it counts, so it may be touched fast.
    """

    name: str
    stacks: tuple[Stack, ...]
    controller: str | None
    supplied: bool
    bonus: str | None = None
    mark: str = ""
    check: str = ""
    change: str = ""
    earns: str = ""
    by_hand: bool = False
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class SpacePicture:
    """An action space on the map: whose commanders are on it, and whether it may be deployed to now."""

    name: str
    action: str
    held_by: tuple[str, ...]
    live: bool
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class SupplyChain:
    """A faction's chain of areas from one of them to its headquarters; `gap` is the area where it breaks, or ""."""

    faction: str
    areas: tuple[str, ...]
    gap: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """What the last turn changed on the map, as an arrow or a number.

    kind: "move" or "fire" from one area to another with the units moved or lost, "more" or "less" where units came
    or went in other ways (`start` is "" then).
    """

    kind: str
    faction: str
    start: str
    end: str
    n: int


@dataclass(frozen=True, slots=True)
class MapPicture:
    """The whole map: the board for its drawing, the areas and the spaces on them, and what lies over it.

    chains: those that a question is about; supply: those of all areas; traces: what the last turn changed; names:
    whether the areas' names are shown.
    """

    board: Board
    areas: tuple[AreaPicture, ...]
    spaces: tuple[SpacePicture, ...]
    chains: tuple[SupplyChain, ...] = ()
    supply: tuple[SupplyChain, ...] = ()
    traces: tuple[Trace, ...] = ()
    names: bool = True


@dataclass(frozen=True, slots=True)
class PhotoPicture:
    """A photo in the map's place, with what is drawn over it. All places are parts of its width and height, 0 to 1.

    data: a JPEG or PNG file; outlines: closed lines (the first is the board's edge); names: (what to write, where,
    in which faction's colour, "" for none); bad: outlines of what is wrong. corners: handles to drag, sent as
    Intent("corner", at=...), and by the arrow keys as Intent("key", "left"); held: the handle that is dragged, shown
    enlarged by `loupe`, a square picture of its surroundings; touch: a finger may come down where no handle is.
    caption: a line under the photo.
    """

    data: bytes
    size_px: tuple[int, int]
    outlines: tuple[tuple[Place, ...], ...] = ()
    names: tuple[tuple[str, Place, str], ...] = ()
    bad: tuple[tuple[Place, ...], ...] = ()
    corners: tuple[Place, ...] = ()
    held: int | None = None
    loupe: bytes = b""
    touch: bool = False
    caption: str = ""
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class AreaSight:
    """An area in a board image, with its outline and the place of its label (parts of the image, 0 to 1).

    state: how it stands: "agrees", "differs", "unsure" or "covered".
    """

    name: str
    outline: tuple[Place, ...]
    middle: Place
    state: str
    label: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class PieceSight:
    """A piece in a board image: where its base is, half its size as a part of the image's width, and how sure."""

    faction: str
    unit: str
    at: Place
    half: float
    score: float


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """The board image in the map's place (a JPEG), with what the eye makes of it. A touch is Intent("area", name)."""

    data: bytes
    size_px: tuple[int, int]
    areas: tuple[AreaSight, ...]
    pieces: tuple[PieceSight, ...]


TablePicture = FieldPicture | DuelPicture
"""A table without a board's map: like a map, it is drawn between two players."""
AnyTablePicture = MapPicture | TablePicture
Picture = BoardPicture | DraftPicture | FieldPicture | DuelPicture
"""What may fill a screen's picture place, besides a map or a photo."""


@dataclass(frozen=True, slots=True)
class DeckCard:
    """A card as a screen shows it, described in our own words.

    cost: None where cards have none; kind: its faction, or what sort of card it is; points: military and
    intelligence, of generals alone; text: what it does; copies: how many of it are in the deck, 0 where that is
    not told.
    """

    title: str
    cost: int | None
    kind: str
    points: tuple[int, int] | None = None
    text: str = ""
    copies: int = 0


@dataclass(frozen=True, slots=True)
class DeckCards:
    """Cards side by side, as many in a row as fit. large: half as large again, to be read from afar."""

    cards: tuple[DeckCard, ...]
    large: bool = False


@dataclass(frozen=True, slots=True)
class CardBacks:
    """So many cards face down, fanned out."""

    count: int
