"""What the pages for people name exists: links, files, modules, commands, options. So do the pages the code names."""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.cli import parser
from companion.following.follower import CAMERA
from companion.settings.layers import KEYS

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    path for room in (".", "docs", "docs/pt", "benchmarks", "training") for path in sorted((ROOT / room).glob("*.md"))
]
HISTORY = "CHANGELOG.md"  # names what there was at the time
SOURCES = (".ci", "benchmarks", "companion", "engine", "hardware", "intake", "systemd", "tests", "training", "vision")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.M | re.S)
NAMED_FILE = re.compile(rf"(?<![\w/.-])((?:{'|'.join(map(re.escape, SOURCES))})/[\w./-]*\w)")
NAMED_MODULE = re.compile(r"python -m ([a-z_.]+\w)")
NAMED_PAGE = re.compile(r"(?<![\w/])docs/([\w-]+\.md)")
PLACEHOLDER = re.compile(r"\{[A-Z_]+\}")
USE = re.compile(r"^(?:sudo )?(?:\./)?gunbai +([a-z]+)(.*)$")


def headings(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them from the words."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def is_broken(page: Path, link: str) -> bool:
    """Whether a link of a page leads nowhere; links to other sites are not followed."""
    if "://" in link:
        return False
    name, _, anchor = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    return not target.exists() or (bool(anchor) and anchor not in headings(target))


def code_of(page: Path) -> list[str]:
    """Return the lines of a page that are set as code, in blocks and in sentences."""
    return [line.strip("` ") for found in CODE.findall(page.read_text(encoding="utf-8")) for line in found.splitlines()]


def commands() -> dict[str, set[str]]:
    """Return the options of each command."""
    (subparsers,) = (action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    return {name: set(command._option_string_actions) for name, command in subparsers.choices.items()}


def uses_of_commands(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the commands that a page shows, each with its long options; what follows two spaces is a remark."""
    for line in code_of(page):
        if found := USE.match(line):
            name, rest = found.groups()
            yield name, re.findall(r"(?<!\S)--[a-z-]+", re.split(r"  +| \| ", rest)[0])


def texts_of_sources() -> Iterator[tuple[Path, str]]:
    """Every text file of the source folders with its text."""
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix in (".py", ".md", ".toml", ".service", ".timer", ".conf", ".rules", ""):
                yield path, path.read_text(encoding="utf-8", errors="replace")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if is_broken(page, link)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_gap_is_left_to_be_filled(page: Path) -> None:
    assert PLACEHOLDER.findall(CODE.sub("", page.read_text(encoding="utf-8"))) == []


def test_every_page_is_linked_from_another() -> None:
    linked = {
        Path(link.partition("#")[0]).name for page in PAGES for link in LINK.findall(page.read_text(encoding="utf-8"))
    }
    assert [page.name for page in PAGES if page.name not in linked and page != ROOT / "README.md"] == []


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name != HISTORY], ids=lambda page: str(page.relative_to(ROOT))
)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    named = {name for line in code_of(page) for name in NAMED_FILE.findall(line)}
    assert sorted(name for name in named if "CODE" not in name and not (ROOT / name).exists()) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_module_that_a_page_runs_exists(page: Path) -> None:
    paths = [ROOT / name.replace(".", "/") for line in code_of(page) for name in NAMED_MODULE.findall(line)]
    ours = [path for path in paths if path.relative_to(ROOT).parts[0] in SOURCES]
    assert [path for path in ours if not path.with_suffix(".py").exists() and not (path / "__main__.py").exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_a_page_shows_takes_these_options(page: Path) -> None:
    known = {**commands(), "test": {"--quick", "--version"}}  # of the tests themselves, and of pytest
    unknown = [
        (name, [option for option in options if option not in known.get(name, ())])
        for name, options in uses_of_commands(page)
    ]
    assert [use for use in unknown if use[0] not in known or use[1]] == []


def test_every_setting_is_on_the_page_of_those_who_play() -> None:
    named = set(code_of(ROOT / "docs" / "playing.md"))
    told = {word for line in named for word in re.findall(r"[a-z_.]+", line)}
    assert [key for key in KEYS if key not in told and key != "players"] == []


ENGLISH, PORTUGUESE = "gunbai.pot", "pt_BR/LC_MESSAGES/gunbai.po"
"""The catalogues of the texts in each language."""


@cache
def said_on_the_screen(catalogue: str = ENGLISH) -> list[re.Pattern[str]]:
    """Every text of the catalogue, with anything in the places of its names; what is little but names is left out."""
    text = (ROOT / "companion" / "locale" / catalogue).read_text(encoding="utf-8")
    word = "msgid" if catalogue == ENGLISH else r"msgstr(?:\[0\])?"
    entries = re.findall(rf"^{word} (.+(?:\n\".*)*)", text, re.M)
    whole = ["".join(re.findall(r"\"(.*)\"", entry)) for entry in entries]
    said = [
        sentence.rstrip(".… ") for sentence in whole if len(re.findall(r"\w", re.sub(r"\{.*?\}", "", sentence))) >= 3
    ]
    return [re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(sentence))) for sentence in said]


HELP = ("build", "first-evening", "troubleshooting", "faq")
NOT_OURS = r"General Orders(?:: [^*]+)?|Generals Order|Sonae|Raspberry Pi OS[^*]*"


@pytest.mark.parametrize(
    "page",
    ["playing", "eye", "appliance", "boards", "generals", "saved-games", "services", *HELP, *(f"pt/{p}" for p in HELP)],
)
def test_every_button_that_a_page_names_is_on_the_screen(page: str) -> None:
    """What is set in italics is what the screen says, or a way there, button by button; names of games aside."""
    text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    text = re.sub(rf"```.*?```|\*\*.*?\*\*|\*(?:{NOT_OURS})\*|General Orders", "", text, flags=re.S)
    if page.endswith("troubleshooting"):  # tests/test_help.py holds the messages in its first columns
        text = re.sub(r"^\| .*? \| ", "", text, flags=re.M)
    named = {" ".join(label.split()).rstrip(".… ") for label in re.findall(r"(?<!\*)\*([A-Z][^*]+)\*(?!\*)", text)}
    known = said_on_the_screen(PORTUGUESE if page.startswith("pt/") else ENGLISH)
    ways = {
        label: [label] if any(pattern.fullmatch(label) for pattern in known) else label.split(", ") for label in named
    }
    steps = {step for way in ways.values() for step in way if step != "Gunbai"}
    assert steps
    assert sorted(step for step in steps if not any(pattern.fullmatch(step.strip()) for pattern in known)) == []


def test_every_room_of_the_app_is_on_the_map_from_the_top_down() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract.get("containers") == ["companion"]]
    rows = [re.findall(r"[a-z_]+", layer.partition(".")[0]) for layer in layers if layer != "__main__"]
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("**companion**, from the top:")[2]
    lines = [re.findall(r"`([a-z_]+)`", line.partition(":")[0]) for line in page.partition("\n\n**")[0].splitlines()]
    height = {room: depth for depth, row in enumerate(rows) for room in row}
    named = [room for line in lines for room in line]
    assert sorted(named) == sorted(height)
    assert [height[line[0]] for line in lines if line] == sorted(height[line[0]] for line in lines if line)


def test_every_unit_of_the_appliance_is_on_its_page() -> None:
    page = (ROOT / "docs" / "services.md").read_text(encoding="utf-8")
    units = [path.name for path in (ROOT / "systemd" / "units").iterdir() if path.suffix == ".service"]
    assert [unit for unit in units if f"| `{unit}`" not in page] == []


def test_every_event_and_state_of_the_camera_is_on_the_page_of_followers() -> None:
    named = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "following.md").read_text(encoding="utf-8")))
    assert {*CAMERA, "app", "camera", "game", "step", "undo", "round", "turn", "owed", "score", "winner"} <= named


def test_readme_shows_every_command() -> None:
    assert commands().keys() <= {name for name, _options in uses_of_commands(ROOT / "README.md")}


def test_every_page_that_the_code_names_exists() -> None:
    missing = {
        (str(path.relative_to(ROOT)), name)
        for path, text in texts_of_sources()
        for name in NAMED_PAGE.findall(text)
        if not (ROOT / "docs" / name).exists()
    }
    assert {name for path, name in missing if path != "tests/companion/appliance/test_signing.py"} == set()
