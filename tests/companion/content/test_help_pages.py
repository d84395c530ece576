"""Pages of the docs read for the screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.content import help_pages as pages
from companion.content.help_pages import HelpEntry, HelpPicture, HelpTable, HelpText
from companion.core.language import speaking
from intake.pictures import size_of

PAGE = """\
# A page

What it is *about*,
and more.

## First: [here](there.md#x)

A paragraph over
two **lines**, with `code` and 2 * 3 * 4.

![What it shows](pictures/a.png)

1. One
   goes on
2. *Two*

## Second

| | |
| --- | ---: |
| *Lost ({why}).*<br>*Found…* | Look [there](b.md). |

| a | b | c |
| --- | --- | --- |
| 1 | 2 | 3 |
"""


def test_a_page_is_read_part_by_part(tmp_path: Path) -> None:
    path = tmp_path / "a-page.md"
    path.write_text(PAGE)
    page = pages.parse_page(path)
    assert (page.name, page.title, page.about) == ("a-page", "A page", "What it is about, and more.")
    first, second = page.sections
    assert first.title == "First: here"
    assert first.parts == (
        HelpText("A paragraph over two lines, with code and 2 * 3 * 4."),
        HelpPicture(tmp_path / "pictures/a.png", "What it shows"),
        HelpText("1. One goes on"),
        HelpText("2. Two"),
    )
    assert second.parts == (
        HelpEntry("Lost ({why}).\nFound…", "Look there."),
        HelpTable(("a", "b", "c"), (("1", "2", "3"),)),
    )
    assert first.plain() == (
        "First: here",
        "A paragraph over two lines, with code and 2 * 3 * 4.",
        "1. One goes on",
        "2. Two",
    )
    assert second.plain() == ("Second", "Lost ({why}).\nFound…\n→ Look there.", "a · b · c\n1 · 2 · 3")


@pytest.mark.parametrize(("language", "title"), [("en", "The first evening"), ("pt_BR", "A primeira noite")])
def test_the_language_spoken_has_its_pages(language: str, title: str) -> None:
    with speaking(language):
        found = pages.help_pages()
    assert tuple(page.name for page in found) == pages.PAGES
    assert found[1].title == title
    shown = [
        part for page in found for section in page.sections for part in section.parts if isinstance(part, HelpPicture)
    ]
    assert all(size_of(picture.path.read_bytes()) for picture in shown)
    assert all(page.about and all(section.parts for section in page.sections) for page in found)


def test_what_is_not_translated_is_shown_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "DOCS", tmp_path)
    (tmp_path / "pt").mkdir()
    (tmp_path / "faq.md").write_text("# Questions\n")
    (tmp_path / "build.md").write_text("# Build it\n")
    (tmp_path / "pt/faq.md").write_text("# Perguntas\n")
    with speaking("pt_BR"):
        assert [page.title for page in pages.help_pages()] == ["Build it", "Perguntas"]


def test_a_package_without_docs_has_no_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "DOCS", tmp_path)
    assert pages.help_pages() == ()
