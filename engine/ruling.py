"""The answers to "may I, and why not?" and to "how much, and why?": citations, findings, rulings and tallies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TypeVar

from engine.words import count_words, form, mark, place, say, side

NOT_PRINTED = mark("not printed")
"""What is cited for a rule that the book doesn't print, such as one about the record alone."""
EDITIONS = ("en", "pt")
"""The editions of a rulebook that can be cited: English, and Brazilian Portuguese where there is one."""


_edition: ContextVar[str] = ContextVar("edition", default="en")
"""The edition that is cited; each thread has its own."""


def use_edition(edition: str = "en") -> None:
    """Cite this edition's sections and pages from now on; a book without that edition is cited in English."""
    _edition.set(edition)


def as_printed(title: str, title_pt: str = "") -> str:
    """Return a title as the edition in use prints it; the English one if the Portuguese is not known."""
    return title_pt if title_pt and _edition.get() == "pt" else title


@contextmanager
def citing(edition: str) -> Iterator[None]:
    """Cite this edition while the `with` block runs, then the one before it again."""
    before = _edition.set(edition)
    try:
        yield
    finally:
        _edition.reset(before)


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a rule is written: the rulebook's section and, if known, the page.

    `pt` is the same place in the Portuguese edition, if the book has one; `str` gives the place in the edition in use.
    An empty section means that the book doesn't print the rule, and `str` says so.
    """

    section: str = ""
    page: int | None = None
    pt: Citation | None = None

    def of(self, edition: str) -> Citation:
        """Return the place in this edition; in the English one if the book has no other."""
        return self.pt if edition == "pt" and self.pt is not None else self

    @property
    def heading(self) -> str:
        """The section's heading in the edition in use; "not printed" if there is no section."""
        return self.of(_edition.get()).section or say(NOT_PRINTED)

    def __str__(self) -> str:
        page = self.of(_edition.get()).page
        return self.heading if page is None else f"{self.heading}, p. {page}"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule as the engine names it: a stable dotted id, its citation and what it demands.

    `holds` and `fails` are message templates; their named fields are the facts that decided. If a number changes the
    form of the verb, they are the singular, and `holds_many` and `fails_many` the plural; `fails_none` replaces
    `fails` when the fact `left` is 0. `fails` is empty for a rule that demands nothing and only tells what follows.
    `reading` names the reading that the rule rests on, if the book leaves it open; `differs` says which edition is
    followed if they disagree. `places` are the citations by topic, such as an action, of a rule that is written
    elsewhere for some topics. `kept`: a recorded step that breaks the rule can still be carried out, so it is kept as
    it was recorded.
    """

    id: str
    citation: Citation
    text: str
    holds: str
    fails: str
    reading: str | None = None
    differs: str = ""
    places: Mapping[str, Citation] = field(default_factory=dict)
    holds_many: str = ""
    fails_many: str = ""
    fails_none: str = ""
    kept: bool = False

    def citation_for(self, topic: str = "") -> Citation:
        """Return where the rule is written for this topic; its general place if it has none for the topic."""
        return self.places.get(topic, self.citation)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every place where the rule is written, each once."""
        return tuple(dict.fromkeys((self.citation, *self.places.values())))


@dataclass(frozen=True, slots=True)
class Finding:
    """One criterion examined: whether it holds, where it is written, and the deciding facts in words.

    reading: the reading that it rests on, if any; also: any further ones.
    """

    rule: str
    holds: bool
    citation: Citation
    message: str
    reading: str | None = None
    differs: str = ""
    also: tuple[str, ...] = ()

    @property
    def readings(self) -> tuple[str, ...]:
        """All readings that the finding rests on."""
        return (self.reading, *self.also) if self.reading else ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on a step: a finding on each criterion examined. The step is legal if none of them fails."""

    findings: tuple[Finding, ...] = ()

    @property
    def objections(self) -> tuple[Finding, ...]:
        """The criteria that do not hold."""
        return tuple(finding for finding in self.findings if not finding.holds)

    @property
    def legal(self) -> bool:
        """Whether there is no objection to the step."""
        return not self.objections


LEGAL = Ruling()


def append_reading(message: str, reading: str | None) -> str:
    """Append the reading that a message rests on, if there is one."""
    return say("{message} (reading: {name})", message=message, name=reading) if reading else message


_FIELDS = re.compile(r"\{(\w+)\}")


def _template(singular: str, plural: str, facts: Mapping[str, object]) -> str:
    """Return a message's template in the language spoken; its first number picks the singular or plural form."""
    if not plural:
        return say(singular)
    named = (facts.get(field, facts.get(field.partition("_")[0])) for field in _FIELDS.findall(singular))
    return form(singular, plural, next(fact for fact in named if isinstance(fact, int)))


_SPOKEN: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(("who", "owner", "winner"), side),
    **dict.fromkeys(("area", "source", "target"), place),
    **dict.fromkeys(("card", "token"), str),
}
"""How the fields of messages that name a side, an area or a card are put in words."""


class _Facts(dict[str, object]):
    """The facts that fill a message's fields, put in words as they are looked up.

    The field `n_unit` gives the fact `n` as a number of what the fact `unit` names: "2 troops". `n_card` gives a number
    of cards if no fact is called `card`.
    """

    def __getitem__(self, field: str) -> object:
        fact = super().__getitem__(field)
        if isinstance(fact, str):
            return _SPOKEN.get(field, say)(fact)
        return fact

    def __missing__(self, field: str) -> str:
        number, thing = field.split("_")
        n = self.get(number)
        assert isinstance(n, int)
        return count_words(n, str(self.get(thing, thing)))


class Hearing:
    """Collects the findings while a step is judged.

    `thorough` also collects the criteria that hold. Without it only objections are, and nothing is put in words for
    the others, so that judging a legal step costs next to nothing.
    """

    __slots__ = ("_rules", "findings", "thorough")

    def __init__(self, rules: Mapping[str, Rule], thorough: bool = False) -> None:
        self._rules = rules
        self.thorough = thorough
        self.findings: list[Finding] = []

    def weigh(self, rule: str, holds: bool, **facts: object) -> bool:
        """Add the finding that a rule holds or fails, and return `holds`; one that holds is added only if thorough.

        `facts` fill the rule's message; the fact `topic` chooses the place that is cited.
        """
        if not holds or self.thorough:
            self._record(self._rules[rule], holds, facts)
        return holds

    def _record(self, rule: Rule, holds: bool, facts: dict[str, object]) -> None:
        forms = (rule.holds, rule.holds_many) if holds else (rule.fails, rule.fails_many)
        if not holds and rule.fails_none and facts.get("left") == 0:
            forms = rule.fails_none, ""
        message = append_reading(_template(*forms, facts).format_map(_Facts(facts)), rule.reading)
        if rule.differs:
            message = say("{message} (the editions differ: {how})", message=message, how=say(rule.differs))
        place = rule.citation_for(str(facts.get("topic", "")))
        self.findings.append(Finding(rule.id, holds, place, message, rule.reading, rule.differs))

    def close(self) -> Ruling:
        """Return the ruling on everything weighed so far."""
        return Ruling(tuple(self.findings)) if self.findings else LEGAL


Key = tuple[str, int]
"""A rule's id, and which of its findings this is, from 0, in a ruling that weighs it several times."""


def name_readings(ruling: Ruling, others: Mapping[str, Ruling]) -> Ruling:
    """Return the ruling with each finding naming the readings that it rests on.

    others: for each reading by name, the ruling on the same step with that reading switched. A finding rests on a
    reading if it is different there, or missing.
    """
    by_key = {name: dict(_numbered(other.findings)) for name, other in others.items()}
    findings = []
    for key, finding in _numbered(ruling.findings):
        verdict = finding.holds, finding.message
        elsewhere = {name: found.get(key) for name, found in by_key.items()}
        names = [
            name for name, answer in elsewhere.items() if answer is None or (answer.holds, answer.message) != verdict
        ]
        findings.append(_with_names(finding, names))
    return Ruling(tuple(findings))


def _numbered(findings: Iterable[Finding]) -> Iterator[tuple[Key, Finding]]:
    seen: Counter[str] = Counter()
    for finding in findings:
        yield (finding.rule, seen[finding.rule]), finding
        seen[finding.rule] += 1


def _with_names(finding: Finding, names: list[str]) -> Finding:
    """Return the finding with these readings in its words, besides the one that its rule always rests on."""
    first, *also = dict.fromkeys((*finding.readings, *names, ""))
    message = finding.message
    for name in names:
        if name not in finding.readings:
            message = say("{message} (reading: {name})", message=message, name=name)
    return replace(finding, message=message, reading=first or None, also=tuple(filter(None, also)))


# --- numbers and what they are made of: the dice of a pool, a general's points, a card's cost -------

T = TypeVar("T", bound="Tally")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a tally: how much it adds, or takes away if below 0; why; and where that is written."""

    n: int
    why: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Tally:
    """A number as the sum of its parts, but never below 0."""

    parts: tuple[Part, ...]

    @classmethod
    def of(cls: type[T], parts: Iterable[Part]) -> T:
        """Make a tally of the first part and of all others that aren't 0."""
        first, *others = parts
        return cls((first, *(part for part in others if part.n)))

    @property
    def total(self) -> int:
        """The sum of the parts, at least 0."""
        return max(0, sum(part.n for part in self.parts))

    def reasons(self) -> str:
        """Return the parts with their reasons, as one line.

        >>> Tally((Part(5, "base", Citation()), Part(-2, "for 2 generals of Hill", Citation()))).reasons()
        '5 base, -2 for 2 generals of Hill'
        """
        first, *others = self.parts
        return ", ".join([f"{first.n} {first.why}", *(f"{part.n:+d} {part.why}" for part in others)])
