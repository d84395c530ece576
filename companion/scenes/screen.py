"""What a scene shows, as frozen values: no pixels, no pygame. The view lays them out and draws them.

A Screen is either a page (blocks under a title) or, with a `map`, the table: the map on the left, the status and the
blocks on the right; a `photo` takes the map's place. A touch comes back as the Intent of what was touched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.orders.board import Board

Tone = Literal["plain", "quiet", "strong", "title", "hero", "good", "bad", "warn"]
Look = Literal["plain", "primary", "quiet", "danger", "chosen", "off"]
Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Intent:
    """What a touch means: a verb of the scene, what it is about, and a number where it needs one.

    at: where on the thing that is dragged the finger is, as parts of its width and height; `n` is then 0 for a finger
    that comes down, 1 for one that moves, 2 for one that leaves. seat: the faction in whose half it was touched, put
    there by the app; "" in the one-sided layout.
    """

    verb: str
    what: str = ""
    n: int = 0
    at: tuple[float, float] = (0.0, 0.0)
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Button:
    """Something to touch. "off" looks dead but still answers: it explains why not. `sign` is a small picture."""

    label: str
    intent: Intent
    look: Look = "plain"
    sign: str = ""
    note: str = ""


# ---- blocks -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Prompt:
    """Whom the table waits for and what for, in that faction's colour; `hint` says what to touch."""

    faction: str
    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Buttons:
    """Buttons side by side, in rows of `columns`."""

    buttons: tuple[Button, ...]
    columns: int = 2


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several, under its label; the chosen one has the look "chosen"."""

    label: str
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One answer of several: a whole sentence to touch."""

    text: str
    intent: Intent
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """Answers side by side under their label; the chosen one is marked."""

    label: str
    options: tuple[Option, ...]
    text_pt: float = 13.5


@dataclass(frozen=True, slots=True)
class Stepper:
    """A number between 0 and `most`; touching sends Intent(verb, what, -1 or +1)."""

    label: str
    value: int
    most: int
    verb: str
    what: str


@dataclass(frozen=True, slots=True)
class Steppers:
    """Steppers side by side, in rows of two."""

    steppers: tuple[Stepper, ...]


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice of a roll: one place a die, None where it is not entered yet.

    While they are entered, the faces to touch stand below them, and a touched die is taken back.
    """

    faces: tuple[int | None, ...]
    entering: bool = True


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of a ruling, each with its citation."""

    findings: tuple[FindingLine, ...]


@dataclass(frozen=True, slots=True)
class FindingLine:
    """One criterion: whether it holds, in words, where it is written, its rule id and the reading it rests on."""

    holds: bool
    message: str
    cite: str
    rule: str
    reading: str | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: headings and rows of short texts; the first column is wide, the others are numbers."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """Both sides' points in large figures, the winner marked."""

    sides: tuple[TallySide, ...]


@dataclass(frozen=True, slots=True)
class TallySide:
    """One side of a tally."""

    faction: str
    label: str
    points: int
    won: bool


@dataclass(frozen=True, slots=True)
class Share:
    """One outcome: whose it is ("nobody" too, "" for a mere number), in words, and the chance.

    value: the chance in words, where the label does not say it.
    """

    faction: str
    label: str
    part: float
    value: str = ""


@dataclass(frozen=True, slots=True)
class Odds:
    """Outcomes as parts of one bar, under a line that says of what."""

    text: str
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Pledge:
    """A player's own button to agree: the faction, its player's name, how it stands, and whether it was given."""

    faction: str
    name: str
    note: str
    intent: Intent
    given: bool = False


@dataclass(frozen=True, slots=True)
class Pledges:
    """The players' buttons, at opposite edges where there are two."""

    pledges: tuple[Pledge, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """The last lines of the log, newest first; as many as there is room for."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart: what it stands for, how long it is (0 to 1), its number in words, a faction's or ""."""

    label: str
    part: float
    text: str
    faction: str = ""


@dataclass(frozen=True, slots=True)
class Bars:
    """A small chart: a heading, and bars one under the other."""

    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class LogLine:
    """A step in a sentence, with its marks in words: "agreed", "corrected", what was taken back before it."""

    text: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogTurn:
    """A turn on a card: whose, its number in the round, its steps. Touching it leads to that moment."""

    faction: str
    number: int
    lines: tuple[LogLine, ...]
    intent: Intent


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One thing that hands do on the board, and whether it is done."""

    text: str
    done: bool = False


@dataclass(frozen=True, slots=True)
class Checklist:
    """What hands do on the board: a touch on its tick (Intent "did") means all of it, on its text "todo" opens it.

    head: whom the table waits for, on the same card.
    """

    title: str
    lines: tuple[CheckLine, ...]
    head: Prompt | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """Two stacks of blocks side by side."""

    left: tuple[Block, ...]
    right: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture as the bytes of a JPEG or PNG file, size_px (width, height); its caption stands under it.

    It is shown as wide as its place and no higher than `most_pt` points, its sides kept in proportion.
    """

    data: bytes
    size_px: tuple[int, int]
    caption: str = ""
    most_pt: float = 300.0


@dataclass(frozen=True, slots=True)
class Coach:
    """What somebody at the newcomer's side would say: a heading, and a few plain words, large where there is room."""

    title: str
    text: str
    large: bool = False


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line that is being typed, with its end marked; `hint` stands in it while it is empty."""

    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the keyboard on the screen; `sign` is "shift" or "erase", `span` its width in letters."""

    label: str
    intent: Intent
    look: Look = "plain"
    sign: str = ""
    span: float = 1.0


@dataclass(frozen=True, slots=True)
class Keys:
    """A keyboard: its rows for a wide place, and for a narrow one."""

    wide: tuple[tuple[Key, ...], ...]
    narrow: tuple[tuple[Key, ...], ...]


@dataclass(frozen=True, slots=True)
class Switch:
    """Something that is on or off: its name, one sentence of what it does. The whole row is touched."""

    label: str
    text: str
    on: bool
    intent: Intent


@dataclass(frozen=True, slots=True)
class Ruler:
    """A ruler as long as the screen is believed to make it, and a square of 12 mm: to be held against a real one."""

    text: str


@dataclass(frozen=True, slots=True)
class Sample:
    """Both factions' pieces, a good and a bad verdict, and the accent, in the colours that are chosen."""

    good: str
    bad: str


@dataclass(frozen=True, slots=True)
class Hold:
    """A ring to hold a finger on, sent as a drag; `part` of the time has passed (0 to 1), `label` stands below it."""

    label: str
    intent: Intent
    part: float = 0.0


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing that was checked: "ok", "note" or "bad", what it is, the facts, and what to do."""

    state: str
    title: str
    told: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Crosses:
    """Five crosses to touch, in the corners and the middle: which have been, sent as Intent(verb, "", index)."""

    verb: str
    touched: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A ruling in one sentence: yes, no, or neither (None), with where it is written or what goes with it below."""

    holds: bool | None
    text: str
    cite: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """Something that was looked at and is in order, and where it is written."""

    text: str
    cite: str


@dataclass(frozen=True, slots=True)
class Checks:
    """What is in order, a short line each."""

    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip of paper: a title, a text, where it is written; touched where it has an intent. mark: "yes", "no", ""."""

    title: str
    text: str = ""
    cite: str = ""
    intent: Intent | None = None
    mark: str = ""
    chosen: bool = False


Block = (
    Text
    | Prompt
    | Buttons
    | Choice
    | Options
    | Steppers
    | Dice
    | Findings
    | Grid
    | Tally
    | Odds
    | Bars
    | Log
    | LogTurn
    | Pledges
    | Photo
    | Columns
    | Checklist
    | Coach
    | TextLine
    | Keys
    | Verdict
    | Checks
    | Slip
    | Switch
    | Ruler
    | Sample
    | Hold
    | Thing
    | Crosses
)


# ---- the table --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Side:
    """A faction's line of the status: everything public about it.

    player: its player's name, where one was given (the label has it too); ahead: it would win if the game ended now;
    by_hand: which of "points", "left", "standby", "hand" and "initiative" the players set themselves.
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


@dataclass(frozen=True, slots=True)
class Status:
    """What is always visible at the table. `live` is the camera's sign (companion.understanding.Sign), or "".

    clock: "runs" or "paused", "" without one; a touch on it is Intent("clock").
    """

    round: int
    rounds: int
    deck: int
    sides: tuple[Side, ...]
    live: str = ""
    live_text: str = ""
    clock: str = ""
    discard: int = 0


@dataclass(frozen=True, slots=True)
class Stack:
    """Units of one faction and kind in an area; `change` is what the open form adds or takes away."""

    faction: str
    unit: str
    n: int
    change: int = 0


@dataclass(frozen=True, slots=True)
class AreaPicture:
    """An area on the map. `mark` is "" or what the open form says of it: "live", "chosen" or "target";
    `check` is the camera's: "", "differs" or "hidden"; `change` is what the form would do to its supply: "",
    "gained" or "cut"; `earns` is who gets its points now, where that is shown; `by_hand`: the players set what stands
    there.
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


@dataclass(frozen=True, slots=True)
class SpacePicture:
    """An action space on the map: who stands on it, and whether it may be deployed to now."""

    name: str
    action: str
    held_by: tuple[str, ...]
    live: bool
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """A faction's chain of areas from one of them to its headquarters; `gap` is the area where it breaks, or ""."""

    faction: str
    areas: tuple[str, ...]
    gap: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """What a turn left behind on the map: "move" or "fire" from an area to another with the units moved or lost, "more"
    or "less" where units came or went by other ways (`start` is "" then).
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
    chains: tuple[Chain, ...] = ()
    supply: tuple[Chain, ...] = ()
    traces: tuple[Trace, ...] = ()
    names: bool = True


@dataclass(frozen=True, slots=True)
class PhotoPicture:
    """A photo in the map's place, with what is drawn over it. All places are parts of its width and height, 0 to 1.

    data: a JPEG or PNG file; outlines: closed lines (the first is the board's edge); names: (what to write, where,
    in which faction's colour, "" for none); bad: outlines of what is wrong. corners: handles to drag, sent as
    Intent("corner", at=...), and by the arrow keys as Intent("key", "left"); held: the handle that is dragged, shown
    enlarged by `loupe`, a square picture of its surroundings. caption: a line under the photo.
    """

    data: bytes
    size_px: tuple[int, int]
    outlines: tuple[tuple[Place, ...], ...] = ()
    names: tuple[tuple[str, Place, str], ...] = ()
    bad: tuple[tuple[Place, ...], ...] = ()
    corners: tuple[Place, ...] = ()
    held: int | None = None
    loupe: bytes = b""
    caption: str = ""
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class AreaSight:
    """An area in a board image: its outline, where its label stands (parts of the image, 0 to 1), and how it stands:
    "agrees", "differs", "unsure" or "covered".
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


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen. `actions` are the buttons along the lower edge; `banner` is one plain sentence above all else."""

    title: str = ""
    blocks: tuple[Block, ...] = ()
    actions: tuple[Button, ...] = ()
    banner: str = ""
    banner_tone: Tone = "warn"
    status: Status | None = None
    map: MapPicture | None = None
    photo: PhotoPicture | None = None
    board: BoardPicture | None = None
    page: int = 0
    frame: str = ""
    """Words in a frame around everything: what is shown is not the game itself."""
    private: bool = False
    """It shows a player's own hand: no picture of it may be kept, and only that player's half may show it."""
    tone: Tone = "title"
