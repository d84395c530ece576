"""Looking things up in the rules, offline: by word, tag, action or section, forgiving accents, plurals and small slips.

Everything comes from the engine's own data in our own words: the sections of the book, the rules that the engine looks
at, cards, bonuses and open questions. There is no index file: a Library is built in a few milliseconds when asked.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from companion.games.rules_index import Document, Index
from engine.orders.mode import Mode
from engine.rulebook import Reading, Section, load_book, load_questions
from engine.ruling import Citation, Rule

TITLE, TAG, PLACE, TEXT, ASIDE, ASKED = 5.0, 5.0, 3.0, 2.0, 1.0, 1.5  # the weight of a word by where it is
KINDS = {"section": 1.3, "card": 1.1, "bonus": 1.1, "reading": 1.05, "rule": 0.8}
EXAMPLE = 0.75
"""The weight of a book's examples; what they exemplify weighs 1."""

OFTEN = ("operation-cards", "area-bonuses", "game-end")

_PLACES = re.compile(r"\{\w+\}")

Say = Callable[[str], str]
"""Translates a text of the data for the players, or leaves it as it is."""


@dataclass(frozen=True, slots=True)
class EntryQuestions:
    """A book's questions that lead to its entries, in a language and in English."""

    book: str = ""
    language: str = "en"

    def questions(self, key: str) -> tuple[str, ...]:
        """Return the questions that the entry with this key answers."""
        languages = dict.fromkeys((self.language, "en"))
        return tuple(line for language in languages for line in load_questions(self.book, language).get(key, ()))


ENGLISH = EntryQuestions()


@dataclass(frozen=True, slots=True)
class Played:
    """How a game is played: the readings switched to their other answer; `often`: the sections looked up most, by name.

    asked: the questions that lead to its rules.
    """

    switched: frozenset[str] = frozenset()
    often: tuple[str, ...] = ()
    asked: EntryQuestions = ENGLISH


PLAYED = Played()


@dataclass(frozen=True, slots=True)
class RulesEntry:
    """One entry of the library: its title, its text in our words, and where the book has it.

    key: its kind ("section", "rule", "card", "bonus", "reading") and its name, with a colon between; tags: other words
    for it; aside: words that are searched but not shown; see: the keys of related entries, the nearest first.
    """

    key: str
    title: str
    text: str
    citation: Citation
    tags: tuple[str, ...] = ()
    aside: str = ""
    see: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The part of the key before the colon: "section", "rule", "card", "bonus" or "reading"."""
        return self.key.partition(":")[0]

    @property
    def name(self) -> str:
        """The part of the key after the colon: the entry's name in the data."""
        return self.key.partition(":")[2]


class Library:
    """The rules' entries, and a search over them.

    readings: the unclear rules, by name; say: translates texts for the players.
    """

    def __init__(
        self,
        entries: Iterable[RulesEntry],
        readings: Mapping[str, Reading],
        say: Say = str,
        played: Played = PLAYED,
    ) -> None:
        self.entries: Mapping[str, RulesEntry] = {entry.key: _translate(entry, say) for entry in entries}
        self.readings = readings
        self.switched = played.switched
        self.asked = played.asked
        often = (f"section:{name}" for name in played.often)
        self.often = tuple(self.entries[key] for key in often if key in self.entries)

    @cached_property
    def _index(self) -> Index:
        """The search index, built at the first search."""
        return Index({key: self._document(entry) for key, entry in self.entries.items()}, self.asked.language)

    def _document(self, entry: RulesEntry) -> Document:
        asked = self.asked.questions(entry.key)
        fields = (
            (entry.title, TITLE), (" ".join(entry.tags), TAG), (entry.citation.section, PLACE), (entry.text, TEXT),
            (entry.aside, ASIDE), (" ".join(asked), ASKED),
        )  # fmt: skip
        example = EXAMPLE if entry.name.startswith("example") else 1.0
        named = (entry.name,) if entry.kind == "rule" else ()
        parts = [key for key in entry.see if not key.startswith("section:")] if entry.kind == "section" else ()
        return Document(fields, (entry.title, *named, *asked), KINDS[entry.kind] * example, parts)

    def find(self, query: str, most: int = 12) -> tuple[RulesEntry, ...]:
        """Return up to `most` entries that answer a typed query, the best first; a rule's id finds that rule."""
        typed = f"rule:{query.strip()}"
        keys = [typed] if typed in self.entries else []
        keys += [key for key, _score in self._index.search(query) if key != typed]
        return tuple(self.entries[key] for key in keys[:most])

    def see(self, key: str) -> tuple[RulesEntry, ...]:
        """Return the entries related to the one with this key, the nearest first."""
        return tuple(self.entries[other] for other in self.entries[key].see)

    def answers(self, name: str) -> tuple[str, str]:
        """Return the answer played for an unclear rule and the other one ("" if there is none), untranslated."""
        reading = self.readings[name]
        return (reading.other, reading.default) if name in self.switched else (reading.default, reading.other)

    def open_questions(self, key: str) -> tuple[RulesEntry, ...]:
        """Return the open questions of a section; () for an entry that is not a section."""
        return tuple(entry for entry in self.see(key) if entry.kind == "reading") if key.startswith("section:") else ()

    def explaining(self, rules: Iterable[str]) -> tuple[RulesEntry, ...]:
        """Return the entries that explain these rule ids: their sections and readings, then the rules themselves."""
        named = [entry for rule in rules if (entry := self.entries.get(f"rule:{rule}"))]
        around = [self.entries[key] for entry in named for key in entry.see if key.startswith(("section:", "reading:"))]
        return tuple(dict.fromkeys((*around, *named)))

    def contents(self) -> tuple[RulesEntry, ...]:
        """Return the sections of the book, in its order."""
        return tuple(entry for entry in self.entries.values() if entry.kind == "section")


# ---- the entries of a mode of General Orders ---------------------------------------------------


def library_of(mode: Mode, say: Say = str, switched: Iterable[str] = (), language: str = "en") -> Library:
    """Build the library of a mode of General Orders, translated by `say`.

    switched: the readings that are played by their other answer.
    """
    shelf = _Shelf(mode)
    entries = (
        *shelf.sections(say), *shelf.cards(say), *shelf.bonuses(), *shelf.readings(), *shelf.rules(),
    )  # fmt: skip
    first = ("supply", "conflicts", *map(_section_name, mode.actions), *OFTEN)
    played = Played(frozenset(switched), first, EntryQuestions("general-orders", language))
    return Library(entries, mode.readings, say, played)


def _translate(entry: RulesEntry, say: Say) -> RulesEntry:
    """Translate the entry into the players' language; a search for the original words still finds it."""
    title, text = say(entry.title), say(entry.text) if entry.text else ""
    if (title, text) == (entry.title, entry.text):
        return entry
    tags = tuple(dict.fromkeys((*map(say, entry.tags), *entry.tags)))
    return replace(entry, title=title, text=text, tags=tags, aside=f"{entry.aside} {entry.title} {entry.text}")


def _section_name(action: str) -> str:
    """Return the name of the section about an action."""
    return action.replace("_", "-")


class _Shelf:
    """Makes the library entries of a mode, each with the keys of related ones."""

    def __init__(self, mode: Mode) -> None:
        self.mode = mode
        self.book = load_book(mode.rulebook)
        self.named = {section.title: f"section:{name}" for name, section in self.book.items()}
        self.written: dict[str, list[str]] = defaultdict(list)
        """{title of a section: the rules that are written there}"""
        self.topics: dict[str, list[str]] = defaultdict(list)
        """{topic: the rules that end in it}: "b.c" and "c" for "a.b.c"."""
        for rule in mode.rules.values():
            for title in {place.section for place in rule.citations}:
                self.written[title].append(rule.id)
            parts = rule.id.split(".")
            for n in range(1, len(parts)):
                self.topics[".".join(parts[n:])].append(rule.id)

    def sections(self, say: Say) -> Iterator[RulesEntry]:
        for name, section in self.book.items():
            see = [f"section:{other}" for other in section.see]
            see += [f"card:{card.name}" for card in self.mode.cards.values() if _section_name(card.action) == name]
            see += [
                f"bonus:{bonus.name}" for bonus in self.mode.bonuses.values() if _section_name(bonus.action) == name
            ]
            readings = (reading for reading in self.mode.readings.values() if reading.citation.section == section.title)
            see += [f"reading:{reading.name}" for reading in readings]
            see += [f"rule:{rule}" for rule in self.written[section.title]]
            text, aside, place = section.text, section.title, section.citation
            if section.differs:
                differs = say(section.differs)
                text = " ".join((say(section.text), f"{differs[:1].upper()}{differs[1:]}."))
                aside = f"{section.title} {section.text} {section.differs}"
            yield RulesEntry(f"section:{name}", section.heading, text, place, section.tags, aside, tuple(see))

    def _about(self, action: str) -> tuple[str, ...]:
        """Return the key of an action's section, in a tuple; an empty one if it has none."""
        name = _section_name(action)
        return (f"section:{name}",) if name in self.book else ()

    def cards(self, say: Say) -> Iterator[RulesEntry]:
        chapter = self.book["operation-cards"].citation
        for card in self.mode.cards.values():
            see = [*self._about(card.action), "section:operation-cards"]
            see += [f"reading:{name}" for name in self.mode.readings if name.startswith(card.name)]
            see += [f"rule:{rule}" for rule in self.mode.rules if rule.startswith(f"{card.name}.")]
            text = " ".join((say(card.condition), say(card.text)))
            aside = f"{card.title} {card.condition} {card.text}"
            tags = ("card", *filter(None, (card.action, card.by)))
            yield RulesEntry(f"card:{card.name}", card.heading, text, chapter, tags, aside, tuple(see))

    def bonuses(self) -> Iterator[RulesEntry]:
        chapter = self.book["area-bonuses"].citation
        for bonus in self.mode.bonuses.values():
            see = (*self._about(bonus.action), "section:area-bonuses")
            tags = ("bonus", *(() if bonus.printed else ("token",)), *filter(None, (bonus.action,)))
            yield RulesEntry(f"bonus:{bonus.name}", bonus.heading, bonus.text, chapter, tags, bonus.title, see)

    def readings(self) -> Iterator[RulesEntry]:
        for reading in self.mode.readings.values():
            see = [self.named[reading.citation.section]]
            see += [f"rule:{rule.id}" for rule in self.mode.rules.values() if rule.reading == reading.name]
            see += [f"card:{card}" for card in self.mode.cards if reading.name.startswith(card)]
            yield _open_question(reading, tuple(see))

    def rules(self) -> Iterator[RulesEntry]:
        for rule in self.mode.rules.values():
            see = [self.named[place.section] for place in rule.citations if place.section]
            see += [f"reading:{rule.reading}"] if rule.reading else []
            topic = rule.id.partition(".")[2]
            see += [f"rule:{other}" for other in self.topics[topic] if other != rule.id]
            see += [f"card:{card}" for card in self.mode.cards if rule.id.startswith(f"{card}.")]
            yield _rule(rule, tuple(see))


def _open_question(reading: Reading, see: tuple[str, ...], switched: bool = False) -> RulesEntry:
    """Return the entry of an unclear rule, with the answer that is played; `switched`: the other one is."""
    tags = ("unclear rule", "open question", "reading", "house rule", *reading.name.split("-"))
    answer, other = (reading.other, reading.default) if switched else (reading.default, reading.other)
    return RulesEntry(f"reading:{reading.name}", reading.question, answer, reading.citation, tags, other, see)


def _rule(rule: Rule, see: tuple[str, ...]) -> RulesEntry:
    aside = " ".join((rule.id, _PLACES.sub(" ", rule.fails), _PLACES.sub(" ", rule.holds)))
    return RulesEntry(f"rule:{rule.id}", rule.text, "", rule.citation, (), aside, see)


# ---- the entries of a book that leads to its rules and open questions itself ---------------------


def book_library(
    book: Mapping[str, Section],
    rules: Mapping[str, Rule],
    readings: Mapping[str, Reading],
    played: Played = PLAYED,
    say: Say = str,
) -> Library:
    """Build the library of a system from its book's sections, its open questions as played, and its rules."""
    sections = (
        RulesEntry(
            f"section:{name}",
            section.title,
            section.text,
            section.citation,
            section.tags,
            section.title,
            _leads(section),
        )
        for name, section in book.items()
    )
    open_questions = (
        _open_question(reading, _homes(book, reading.name), reading.name in played.switched)
        for reading in readings.values()
    )
    single = (_rule(rule, _homes(book, rule.id, rule.reading)) for rule in rules.values())
    return Library((*sections, *open_questions, *single), readings, say, played)


def _leads(section: Section) -> tuple[str, ...]:
    """Return the keys that go with a section: its open questions, the sections beside it, its rules."""
    return (
        *(f"reading:{name}" for name in section.readings),
        *(f"section:{name}" for name in section.see),
        *(f"rule:{name}" for name in section.rules),
    )


def _homes(book: Mapping[str, Section], name: str, reading: str | None = None) -> tuple[str, ...]:
    """Return the keys of the sections that a rule or open question belongs to, then of the reading it rests on."""
    homes = (f"section:{key}" for key, section in book.items() if name in (*section.rules, *section.readings))
    return (*homes, *((f"reading:{reading}",) if reading else ()))
