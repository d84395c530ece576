"""What a scene shows, as frozen values: no pixels, no pygame. The view lays them out and draws them.

A Screen is either a page (blocks under a title) or, with a `map`, the table: the map on the left, the status and the
blocks on the right; a `photo` takes the map's place. A touch comes back as the Intent of what was touched. What is
touched, typed and switched (`intents`), numbers and chances (`charts`), and the pictures of the table and cards
(`table_pictures`) have modules of their own, and are had from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.ui.charts import Bar, Bars, ChanceCurve, Curve, CurveSide, Grid, Laurels, Odds, Share, Tally, TallySide
from companion.ui.intents import (
    Button,
    Crosses,
    Hold,
    Intent,
    Key,
    Keys,
    Look,
    Ruler,
    Sample,
    StatusRow,
    Switch,
    TextLine,
    Tone,
    back_button,
    cancel_button,
    confirm_button,
    live_first,
)
from companion.ui.small_map import SmallPicture
from companion.ui.table_pictures import (
    AreaPicture,
    BoardPicture,
    CardBacks,
    DeckCard,
    DeckCards,
    MapPicture,
    PhotoPicture,
    Picture,
    Side,
    SpacePicture,
    Stack,
    Status,
    SupplyChain,
    Tell,
    Trace,
)

__all__ = [
    "AreaPicture",
    "Bar",
    "Bars",
    "BoardPicture",
    "Button",
    "CardBacks",
    "ChanceCurve",
    "Crosses",
    "Curve",
    "CurveSide",
    "DeckCard",
    "DeckCards",
    "Grid",
    "Hold",
    "Intent",
    "Key",
    "Keys",
    "Laurels",
    "Look",
    "MapPicture",
    "Odds",
    "PhotoPicture",
    "Picture",
    "Ruler",
    "Sample",
    "Share",
    "Side",
    "SpacePicture",
    "Stack",
    "Status",
    "StatusRow",
    "SupplyChain",
    "Switch",
    "Tally",
    "TallySide",
    "Tell",
    "TextLine",
    "Tone",
    "Trace",
    "back_button",
    "cancel_button",
    "confirm_button",
    "live_first",
]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Prompt:
    """Whom the table waits for, and what for, in that faction's colour; `hint` says what to touch."""

    faction: str
    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Buttons:
    """Buttons side by side, in rows of `columns`.

    even: there may be very many, all of one height, at the end of the screen; only those that are seen are asked for.
    cards: they are so high and wide that their pictures can be told apart, in as many columns as have room; high_pt:
    their least height in points.
    """

    buttons: Sequence[Button]
    columns: int = 2
    even: bool = False
    cards: bool = False
    high_pt: float = 0.0


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

    While they are entered, the faces to touch stand below them, and a touched die is taken back. sixes: of six-sided
    dice only the sixes matter, and a touch on the nth die means n of them: Intent("sixes", "", n).
    """

    faces: tuple[int | None, ...]
    entering: bool = True
    sixes: bool = False


@dataclass(frozen=True, slots=True)
class Pledge:
    """A player's own button to agree: the faction, its player's name, a note, and whether consent was given."""

    faction: str
    name: str
    note: str
    intent: Intent
    is_given: bool = False


@dataclass(frozen=True, slots=True)
class Pledges:
    """The players' buttons, at opposite edges where there are two."""

    pledges: tuple[Pledge, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """The last lines of the log, newest first; as many as there is room for."""

    lines: tuple[str, ...]


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
    """One move that the players are to make by hand on the board, and whether it is done."""

    text: str
    done: bool = False


@dataclass(frozen=True, slots=True)
class Checklist:
    """What the players are to do by hand on the board. A touch on its tick is Intent("did"), on its text "todo".

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
    """A coach's card for newcomers: a heading and a few plain words, large where there is room."""

    title: str
    text: str
    large: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """A ruling in one sentence: yes, no, or neither (None), with its citation or a remark below."""

    holds: bool | None
    text: str
    cite: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A criterion that is met, with its citation, if it has one."""

    text: str
    cite: str = ""


@dataclass(frozen=True, slots=True)
class Checks:
    """Criteria that are met, a short line each."""

    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip of paper: title, text and citation; to be touched if it has an intent. mark: "yes", "no" or "".

    picture: what it is about, drawn small at its left where there is room.
    """

    title: str
    text: str = ""
    cite: str = ""
    intent: Intent | None = None
    mark: str = ""
    chosen: bool = False
    picture: SmallPicture | None = None


Block = (
    Text
    | Prompt
    | Buttons
    | Choice
    | Options
    | Steppers
    | Dice
    | Grid
    | Tally
    | Odds
    | Bars
    | Curve
    | ChanceCurve
    | Laurels
    | Log
    | LogTurn
    | Pledges
    | Photo
    | Columns
    | Checklist
    | Coach
    | DeckCards
    | CardBacks
    | TextLine
    | Keys
    | Verdict
    | Checks
    | Slip
    | Switch
    | Ruler
    | Sample
    | Hold
    | StatusRow
    | Crosses
)


@dataclass(frozen=True, slots=True)
class Spotlight:
    """What a lesson speaks of, which stays bright beside the coach's words while the rest of the screen is dimmed.

    touch: what is to be touched, framed; names: what stays bright as well: verbs of buttons, names of areas and units,
    "picture" for all of the map or the field.
    """

    touch: Intent | None
    names: tuple[str, ...] = ()


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
    board: Picture | None = None
    page: int = 0
    frame: str = ""
    """Words in a frame around everything: what is shown is not the game itself."""
    private: bool = False
    """It shows a player's own hand: no picture of it may be kept, and only that player's half may show it."""
    tone: Tone = "title"
    spot: Spotlight | None = None
    beside: MapPicture | Picture | None = None
    """A picture that stands beside the words of a page that has none of its own, where both have room."""
