"""The rules to look things up in: by typing, by what an argument is about, or through the sections of the book."""

from __future__ import annotations

from companion.core.language import _, plural
from companion.games.rules_search import Library, RulesEntry
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.base.typing import ENTER, Typed
from companion.text.orders import sentence
from companion.ui.screen import Block, Button, Buttons, Intent, Look, Screen, Slip, Text, back_button, cancel_button

MOST_FOUND = 24
PLAIN_LOOK: Look = "plain"
QUIET_LOOK: Look = "quiet"
BRIEF = 24  # letters of a title on a button
SHORT = 90  # letters of a text on a slip


class RulesScene(BackScene):
    """The rules found by a search, or those that a ruling is about, as slips; without either, the book's contents.

    about: the ids of the rules of a ruling.
    """

    def __init__(self, library: Library, back: Scene, query: str = "", about: tuple[str, ...] = ()) -> None:
        super().__init__(back)
        self.library = library
        self.query = query
        self.about = about

    def show(self) -> Screen:
        """List the entries found for the query or the topic, or the table of contents without either."""
        found = self.library.explaining(self.about) if self.about else self.library.find(self.query, MOST_FOUND)
        asked = bool(self.query or self.about)
        listed = self._head(found) + tuple(map(entry_slip, found)) if asked else self._contents()
        return Screen(
            title=self._title(),
            blocks=listed,
            actions=(
                back_button(),
                *((Button(_("Contents"), Intent("contents")),) if asked else ()),
                Button(_("Search"), Intent("type"), "primary"),
            ),
            page=self.page,
        )

    def _title(self) -> str:
        if self.about:
            return _("Rules about this")
        return _("Rules: “{query}”").format(query=self.query) if self.query else _("The rules")

    def _head(self, found: tuple[RulesEntry, ...]) -> tuple[Block, ...]:
        if not found:
            return (Text(_("Nothing found. Try one word, such as “supply”, “limit” or “tie”.")),)
        if self.query:
            return (Text(plural("{n} result", "{n} results", len(found)), "quiet"),)
        return ()

    def _contents(self) -> tuple[Block, ...]:
        """Return the sections as buttons: those looked up most first, then the rest in the book's order."""
        often = self.library.often
        if not often:  # a book whose headings alone say little
            return tuple(map(entry_slip, self.library.contents()))
        rest = tuple(entry for entry in self.library.contents() if entry not in often)
        return tuple(
            Buttons(tuple(Button(entry.title, Intent("entry", entry.key), look) for entry in entries), 3)
            for entries, look in ((often, PLAIN_LOOK), (rest, QUIET_LOOK))
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Open an entry, search, show the contents, turn the page, or go back."""
        if intent.verb == "entry" and intent.what in self.library.entries:
            return EntryScene(self.library, intent.what, self)
        if intent.verb == "type":
            return SearchScene(self)
        if intent.verb == "contents":
            self.look_for("")
        return super().touch(intent)

    def look_for(self, query: str) -> Scene:
        """Search for these words, or show the contents if there are none; return this scene."""
        self.query, self.about, self.page = query, (), 0
        return self


class SearchScene:
    """A search being typed, with the best match so far below the keys: one touch opens it."""

    whole = True  # a keyboard needs the whole screen, in the two-sided layout too

    def __init__(self, rules: RulesScene) -> None:
        self.rules = rules
        self.typed_text = Typed(rules.query)

    def show(self) -> Screen:
        """Show the text line, the keyboard and the best match; the keys keep their place."""
        found = self._hits()
        count = plural("Show {n}", "Show all {n}", len(found))
        line = self.typed_text.line(_("a word, an action, a card"))
        return Screen(
            blocks=(line, self.typed_text.keys()),
            actions=(
                cancel_button(),
                *(Button(_short_title(entry), Intent("entry", entry.key), note=_("best match")) for entry in found[:1]),
                Button(count, Intent("done"), "primary" if found else "off"),
            ),
        )

    def _hits(self) -> tuple[RulesEntry, ...]:
        return self.rules.library.find(self.typed_text.text, MOST_FOUND)

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a key, or open the best match, all matches or the page before."""
        if intent.verb == "cancel":
            return self.rules
        if intent.verb == "entry" and intent.what in self.rules.library.entries:
            return EntryScene(self.rules.library, intent.what, self, self.rules)
        if intent.verb == "done" or (intent.verb, intent.what) == ("type", ENTER):
            return self.rules.look_for(self.typed_text.text.strip()) if self._hits() else None
        self.typed_text.touch(intent)
        return None


class EntryScene(BackScene):
    """One entry of the rules, and others to read with it."""

    def __init__(self, library: Library, key: str, back: Scene, contents: Scene | None = None) -> None:
        super().__init__(back)
        self.library = library
        self.entry = library.entries[key]
        self.contents = contents or back  # the list, however many entries were read on the way

    def show(self) -> Screen:
        """Show the entry's text, its place in the rulebook, and what else to read."""
        entry = self.entry
        others = self.library.see(entry.key)
        see: tuple[Block, ...] = (Text(_("See also"), "strong"), *map(entry_slip, others)) if others else ()
        return Screen(
            title=entry.title if entry.text else entry.citation.heading,
            blocks=(
                *self._text(),
                *self._left_open(),
                Text(_("Rulebook: {place}. In our words.").format(place=entry.citation), "quiet"),
                *see,
            ),
            actions=(back_button("primary"), Button(_("All rules"), Intent("list"))),
            page=self.page,
        )

    def _text(self) -> tuple[Block, ...]:
        """Return the entry's text; for an unclear rule, the answer that is played and the other one, if it has any."""
        if self.entry.kind != "reading":
            return (Text(sentence(self.entry.text or self.entry.title)),)
        played, other = self.library.answers(self.entry.name)
        alternative = _("Alternative: {text}").format(text=sentence(_(other)))
        return (Text(sentence(_(played))), *((Text(alternative),) if other else ()))

    def _left_open(self) -> tuple[Block, ...]:
        """List what the book leaves open in a section, and how it is played."""
        form = _("Unclear in the book: {question} Played here: {answer}")
        return tuple(
            Text(
                form.format(question=question.title, answer=sentence(_(self.library.answers(question.name)[0]))),
                "quiet",
            )
            for question in self.library.open_questions(self.entry.key)
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Open another entry, turn the page, go back to the list, or one scene back."""
        if intent.verb == "entry" and intent.what in self.library.entries:
            return EntryScene(self.library, intent.what, self, self.contents)
        return self.contents if intent.verb == "list" else super().touch(intent)


def rules_at(library: Library, back: Scene, key: str = "") -> Scene:
    """Open the rules at the entry with this key, or at the contents if there is no such entry."""
    contents = RulesScene(library, back)
    return EntryScene(library, key, back, contents) if key in library.entries else contents


def rule_button(section: str) -> Button:
    """Make a panel's button that opens the section of the rules behind the panel."""
    return Button(_("The rule"), Intent("rules", f"section:{section}"), "quiet", "book")


def entry_slip(entry: RulesEntry) -> Slip:
    """Make the slip that opens an entry: its title, the beginning of its text, and its place in the book."""
    kind = {
        "card": _("card"), "bonus": _("bonus token"), "reading": _("unclear rule"), "rule": _("rule"),
    }.get(entry.kind, "")  # fmt: skip
    place = str(entry.citation)
    page = f"p. {entry.citation.page}" if entry.citation.page else ""
    cite = page if entry.kind == "section" else " · ".join((kind, place))
    text = sentence(first_sentences(entry.text)) if entry.text else ""
    return Slip(entry.title, text, cite, Intent("entry", entry.key))


def _short_title(entry: RulesEntry) -> str:
    return entry.title if len(entry.title) <= BRIEF else entry.citation.heading


def first_sentences(text: str) -> str:
    """Return the first sentence of a text, with as many of the following ones as a slip has room for.

    >>> first_sentences("One. Two. " + "Three is too long " * 6)
    'One. Two.'
    """
    first, *others = text.split(". ")
    for other in others:
        if len(first) + len(other) + 2 > SHORT:
            return f"{first}."
        first = f"{first}. {other}"
    return first
