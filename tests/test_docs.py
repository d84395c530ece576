"""The pages for people: what they link to is there, whether a page, a picture, or a heading."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are made of their words."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def leads_nowhere(page: Path, link: str) -> bool:
    """Whether a link of a page has no end; those to the world outside are not followed."""
    if "://" in link:
        return False
    name, _, anchor = link.partition("#")
    there = (page.parent / name).resolve() if name else page
    return not there.exists() or (bool(anchor) and anchor not in headings(there))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if leads_nowhere(page, link)] == []


def test_every_page_is_linked_from_another() -> None:
    linked = {
        Path(link.partition("#")[0]).name for page in PAGES for link in LINK.findall(page.read_text(encoding="utf-8"))
    }
    assert [page.name for page in PAGES if page.name not in linked and page.name != "README.md"] == []
