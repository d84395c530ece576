"""What is noted of each turn of a recorded game: what it took, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.whole_games.recording import AT_REST, HOME, Moment


@dataclass
class TurnNotes:
    """A look at the screen after a turn, or after two, and what it took.

    picture: of the board as it was then; turns: how many it is about; meant: entered by touch, as the way to play has
    it; wrong_first: what was proposed first and wasn't so; half: what the screen said to each board in the middle of
    the turn; alarms: how often it said that the board is different; misread: what the eye didn't see as it was.
    """

    number: int
    turns: int
    picture: str
    words: str
    kinds: list[str]
    touches: int = 0
    meant: bool = False
    by_hand: bool = False
    wrong_first: str = ""
    surely_wrong: bool = False
    questions: list[str] = field(default_factory=list)
    alarms: int = 0
    half: list[str] = field(default_factory=list)
    sentence_s: float | None = None
    unsure_after: bool = False
    misread: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def is_one_touch(self) -> bool:
        """Whether the turns took no more than one touch each."""
        return self.touches <= self.turns

    @property
    def cause(self) -> str:
        """The reason why the turn took more than one touch."""
        why = ["asked"] if self.questions else []
        why += ["another turn first"] if self.wrong_first else []
        why += ["by hand"] if self.by_hand else []
        return " and ".join(why) or "several touches"


@dataclass(frozen=True)
class RecordedTurn:
    """The moments of a turn: those in the middle, the one when it is done, and what follows without a new turn."""

    number: int
    between: tuple[Moment, ...]
    done: Moment
    after: tuple[Moment, ...]


def turns_in(moments: Sequence[Moment]) -> Iterator[RecordedTurn]:
    """Yield the turns of a recording; its first moment is the start."""
    left, steps, number = list(moments[1:]), 0, 0
    while True:
        between = list[Moment]()
        while left and not (left[0].hands == AT_REST and left[0].steps > steps):
            between.append(left.pop(0))
        if not left:
            return
        done, after = left.pop(0), list[Moment]()
        while left and left[0].steps == done.steps and left[0].hands in (AT_REST, HOME):
            after.append(left.pop(0))
        steps, number = done.steps, number + 1
        yield RecordedTurn(number, tuple(between), done, tuple(after))
