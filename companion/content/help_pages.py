"""The pages of the docs that the app shows as its help: from the box to the first game, and what to do about faults.

They are Markdown, plain enough for a screen: sections of paragraphs, lists, tables and pictures. A translated page lies
in the language's own folder (`docs/pt`), under the same name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.core.language import language_code

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("build", "first-evening", "troubleshooting", "faq")
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")
_MARKS = re.compile(r"\*\*|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)|`")
_ITEM = re.compile(r"(?:\d+\.|-) ")
_RULE = re.compile(r"(?=.*-)\|[-:| ]+\|")
_BREAK = "<br>"


@dataclass(frozen=True, slots=True)
class HelpText:
    """A paragraph, or an item of a list with its number or dash."""

    text: str


@dataclass(frozen=True, slots=True)
class HelpEntry:
    """A row of a table with two columns: a heading and its explanation."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class HelpTable:
    """A table with more columns."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class HelpPicture:
    """A picture: its file, and what it shows."""

    path: Path
    caption: str


HelpPart = HelpText | HelpEntry | HelpTable | HelpPicture


@dataclass(frozen=True, slots=True)
class HelpSection:
    """A section of a page: its heading and what is under it."""

    title: str
    parts: tuple[HelpPart, ...]

    def plain(self) -> tuple[str, ...]:
        """Return the heading and the parts as paragraphs of plain text, without pictures."""
        return (self.title, *filter(None, map(_plain, self.parts)))


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page: its name, its title, what it is about, and its sections."""

    name: str
    title: str
    about: str
    sections: tuple[HelpSection, ...]


def help_pages() -> tuple[HelpPage, ...]:
    """Read the help pages, each in the language in use or else in English; () if there are no docs."""
    translated = DOCS / language_code().partition("_")[0]
    found = []
    for name in PAGES:
        paths = [path for folder in (translated, DOCS) if (path := folder / f"{name}.md").is_file()]
        found += [parse_page(path) for path in paths[:1]]
    return tuple(found)


def parse_page(path: Path) -> HelpPage:
    """Read a page of the docs from its Markdown file."""
    head, *sections = re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    title, _newline, about = head.removeprefix("# ").partition("\n")
    parts = tuple(_section(text, path.parent) for text in sections)
    words = " ".join(part.text for part in _parts(about, path.parent) if isinstance(part, HelpText))
    return HelpPage(path.stem, title.strip(), words, parts)


def _section(text: str, folder: Path) -> HelpSection:
    title, _newline, body = text.partition("\n")
    return HelpSection(_bare(title), tuple(_parts(body, folder)))


def _parts(text: str, folder: Path) -> Iterator[HelpPart]:
    """Yield the paragraphs, list items, tables and pictures of a section's Markdown, in order."""
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = block.splitlines()
        if found := _PICTURE.fullmatch(" ".join(lines)):
            yield HelpPicture((folder / found[2]).resolve(), found[1])
        elif block.startswith("|"):
            yield from _table(lines)
        elif _ITEM.match(block):
            yield from map(HelpText, _items(lines))
        elif block:
            yield HelpText(_bare(" ".join(lines)))


def _items(lines: list[str]) -> list[str]:
    """Return the items of a Markdown list, each with its continuation lines."""
    items: list[str] = []
    for line in lines:
        if _ITEM.match(line):
            items.append(_bare(line))
        else:
            items[-1] += f" {_bare(line.strip())}"
    return items


def _table(lines: list[str]) -> Iterator[HelpPart]:
    headings, *rows = [tuple(map(_bare, line.strip("|").split("|"))) for line in lines if not _RULE.fullmatch(line)]
    if len(headings) > 2:
        yield HelpTable(headings, tuple(rows))
    else:
        yield from (HelpEntry(title, text) for title, text in rows)


def _bare(text: str) -> str:
    """Return a text without Markdown's emphasis, code marks and links; <br> becomes a newline.

    >>> _bare("Touch *Fix it* (see [here](there.md)), **now**: `pack`")
    'Touch Fix it (see here), now: pack'
    """
    return "\n".join(_MARKS.sub("", _LINK.sub(r"\1", line)).strip() for line in text.split(_BREAK))


def _plain(part: HelpPart) -> str:
    match part:
        case HelpText(text):
            return text
        case HelpEntry(title, text):
            return f"{title}\n→ {text}"
        case HelpTable(headings, rows):
            return "\n".join(" · ".join(row) for row in (headings, *rows))
        case HelpPicture():
            return ""
