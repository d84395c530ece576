"""A system of rules as the referee and the app use it: what every system does, and what only one does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast

from engine.codec import Json
from engine.errors import BadStep, Illegal
from engine.rulebook import Reading
from engine.ruling import Citation, Finding, Hearing, Rule, Ruling, name_readings

P = TypeVar("P")
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Replay(Generic[P]):
    """How far a journal is valid: the position reached, the steps done, and the ruling against the next one if any."""

    position: P
    done: int
    failed: Ruling | None


@dataclass(frozen=True, slots=True)
class Judge(Generic[P, S]):
    """Judges the steps of a system and carries them out.

    rules: returns the rules that a position is played by, by id. weigh: weighs every criterion of a step in a hearing.
    perform: returns the position after a legal step. readings: returns the book's readings by name, if `examine` has to
    judge a step again with each of them switched to find those that its ruling rests on; none if the rules name theirs.
    A position's `readings` are those that are switched. changes: returns what happened, from the positions before and
    after a step.
    """

    rules: Callable[[P], Mapping[str, Rule]]
    weigh: Callable[[Hearing, P, S], None]
    perform: Callable[[P, S], P]
    readings: Callable[[], Mapping[str, Reading]] = dict
    changes: Callable[[P, P, S], tuple[Any, ...]] = lambda before, after, step: ()

    def judge(self, position: P, step: S) -> Ruling:
        """Return the ruling on a step with its objections alone; the step is legal if there is none.

        Never raises, never changes anything.
        """
        return self._hear(position, step, thorough=False)

    def examine(self, position: P, step: S) -> Ruling:
        """Return the ruling on a step with every criterion, held or not, and the readings that each rests on."""
        here, others = cast(Any, position), {}
        for name, reading in self.readings().items():
            if reading.other:
                switched = cast(P, replace(here, readings=here.readings ^ {name}))
                others[name] = self._hear(switched, step, thorough=True)
        ruling = self._hear(position, step, thorough=True)
        return name_readings(ruling, others) if others else ruling

    def _hear(self, position: P, step: S, thorough: bool) -> Ruling:
        hearing = Hearing(self.rules(position), thorough)
        self.weigh(hearing, position, step)
        return hearing.close()

    def require_legal(self, position: P, step: S) -> None:
        """Raise Illegal, with the objections, if a step is not legal."""
        ruling = self.judge(position, step)
        if not ruling.legal:
            raise Illegal(ruling)

    def require_kept(self, position: P, step: S) -> None:
        """Raise Illegal if a recorded step breaks a rule that isn't `kept`: then it can't be carried out."""
        ruling = self.judge(position, step)
        known = self.rules(position)
        if not all(known[finding.rule].kept for finding in ruling.objections):
            raise Illegal(ruling)

    def apply(self, position: P, step: S) -> P:
        """Return the position after a step; raise Illegal, with the objections, if it is not legal."""
        self.require_legal(position, step)
        return self.perform(position, step)

    def play(self, position: P, step: S) -> tuple[P, tuple[Any, ...]]:
        """Return the position after a step, and what happened; raise Illegal if it is not legal."""
        after = self.apply(position, step)
        return after, self.changes(position, after, step)

    def play_recorded(self, position: P, step: S) -> tuple[P, tuple[Any, ...]]:
        """Play a step of an old record as `play` does, even if today's rules don't allow it.

        Raises Illegal if it breaks a rule without which it can't be carried out.
        """
        self.require_kept(position, step)
        after = self.perform(position, step)
        return after, self.changes(position, after, step)

    def fold(self, position: P, steps: Iterable[S]) -> P:
        """Return the position after all the steps; raise Illegal at the first that is not legal."""
        for step in steps:
            position = self.apply(position, step)
        return position

    def replay(self, position: P, steps: Iterable[S]) -> Replay[P]:
        """Apply steps until one is not legal; return how far that went, with the ruling against that one."""
        done = 0
        for step in steps:
            try:
                position = self.apply(position, step)
            except Illegal as refused:
                return Replay(position, done, refused.ruling)
            done += 1
        return Replay(position, done, None)


@dataclass(frozen=True, slots=True)
class System(Generic[P, S]):
    """One system of rules; its positions and steps are its own business.

    new: the position that a `new` request asks for. read_position, write_position: a position from JSON and into it;
    read_step, write_step: a step. judge, examine: the ruling on a step, short and thorough. play: the position after a
    step with what happened on the way, Illegal for one that `judge` objects to; play_recorded: the same for a step of
    an old record, even if today's rules don't allow it, as long as it can be carried out; event: what happened as JSON.
    pending: what the table owes as JSON, None for nothing. requests: the handlers of its own requests, by name. brings:
    whether a position may bring along the files of its owner's battle or decks (`texts`).
    """

    name: str
    new: Callable[[Json], P]
    read_position: Callable[[object], P]
    write_position: Callable[[P], Json]
    read_step: Callable[[object], S]
    write_step: Callable[[S], Json]
    judge: Callable[[P, S], Ruling]
    examine: Callable[[P, S], Ruling]
    play: Callable[[P, S], tuple[P, tuple[Any, ...]]]
    play_recorded: Callable[[P, S], tuple[P, tuple[Any, ...]]]
    pending: Callable[[P], Json | None]
    event: Callable[[P, Any], Any]
    requests: Mapping[str, Callable[[Json], Json]] = field(default_factory=dict)
    brings: bool = False

    def apply(self, position: P, step: S) -> P:
        """Return the position after a step; raise Illegal, with the objections, if it is not legal."""
        return self.play(position, step)[0]


def form_finding(fault: BadStep) -> Finding:
    """Return the finding for a badly written step, which no rulebook mentions."""
    return Finding("step.form", False, Citation(), str(fault))


def refusal(step: int, first: Finding, objections: tuple[Finding, ...] = ()) -> Json:
    """Return the error that answers a refused step: its number, the first objection and, under `also`, the others."""
    error: Json = {"step": step, "rule": first.rule, "cite": str(first.citation), "message": first.message}
    if len(objections) > 1:
        error["also"] = [finding_to_json(finding) for finding in objections[1:]]
    return {"error": error}


def finding_to_json(finding: Finding) -> Json:
    """Return a finding as the protocol writes it."""
    out = {"rule": finding.rule, "holds": finding.holds, "cite": str(finding.citation), "message": finding.message}
    readings = list(finding.readings) if finding.also else []
    named = {"reading": finding.reading, "readings": readings, "differs": finding.differs}
    return out | {key: fact for key, fact in named.items() if fact}
