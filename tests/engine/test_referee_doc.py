"""The examples of docs/referee.md are what the referee answers, for all three systems."""

import json
import re
from pathlib import Path
from types import UnionType
from typing import Any

import pytest

from engine.generals.steps import Step as GeneralsStep
from engine.orders.board import load_board
from engine.orders.notation import parse_step
from engine.orders.steps import Step
from engine.orders.wire import step_from_json
from engine.referee import reply
from engine.sonae.steps import Step as SonaeStep
from engine.systems import DEFAULT, SYSTEMS, system_named
from tests.notation import format_step

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "referee.md").read_text(encoding="utf-8")
FILES = [
    body
    for page in ("sonae.md", "generals.md")
    for body in re.findall(r"```toml\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
]
"""The files of an owner's battle and deck that the other pages show whole."""
PARTS = dict(zip(SYSTEMS, re.split(r"^## (?:Sonae|Generals Order)$", TEXT, flags=re.MULTILINE), strict=True))
FENCE = re.compile(r"^```(json|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINES = [line for kind, body in FENCE.findall(TEXT) if kind == "text" for line in body.splitlines()]
JSON = {
    name: [json.loads(body) for kind, body in FENCE.findall(part) if kind == "json"] for name, part in PARTS.items()
}
STEPS = {name: next(value for value in found if isinstance(value, list)) for name, found in JSON.items()}
EXAMPLES = {name: [value for value in found if isinstance(value, dict)] for name, found in JSON.items()}
REST = "..."


def pairs_of(examples: list[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return each request with its answer; a position that is left out is that of the request before."""
    pairs, position = [], None
    for request, answer in zip(examples[::2], examples[1::2], strict=True):
        whole_request = {**request, "position": position} if request.get("position") == REST else request
        position = whole_request.get("position", position)
        pairs.append((whole_request, answer))
    return pairs


PAIRS = {name: pairs_of(examples) for name, examples in EXAMPLES.items()}
SHOWN = [(name, *pair) for name, pairs in PAIRS.items() for pair in pairs]


def matches(shown: Any, given: Any) -> bool:
    """Whether an answer is as the page shows it; "..." stands for anything, or for the rest."""
    if shown == REST:
        return True
    if isinstance(shown, dict) and isinstance(given, dict):
        named = {key: value for key, value in shown.items() if key != REST}
        whole = REST in shown or named.keys() == given.keys()
        return whole and all(key in given and matches(value, given[key]) for key, value in named.items())
    if isinstance(shown, list) and isinstance(given, list):
        if shown[-1:] == [REST]:
            shown, given = shown[:-1], given[: len(shown) - 1]
        return len(shown) == len(given) and all(map(matches, shown, given))
    return bool(shown == given)


def whole(request: dict[str, Any]) -> dict[str, Any]:
    """Return a request as it is sent, with the rest of any file's text that the page breaks off put in."""
    found = {name: _whole(text) for name, text in request.get("texts", {}).items()}
    out = {**request, "texts": found} if found else dict(request)
    return {**out, "position": whole(out["position"])} if "position" in out else out


def _whole(text: str) -> str:
    (found,) = [str(file) for file in FILES if file.startswith(text.removesuffix(REST))]
    return found


@pytest.mark.parametrize(
    ("request_shown", "answer_shown"),
    [pair for _name, *pair in SHOWN],
    ids=[f"{name}-{i}-{asked['do']}" for i, (name, asked, _answer) in enumerate(SHOWN)],
)
def test_an_example_is_answered_as_shown(request_shown: dict[str, Any], answer_shown: dict[str, Any]) -> None:
    given = reply(json.dumps(whole(request_shown)))
    assert matches(answer_shown, given), given


@pytest.mark.parametrize(
    ("shown", "given", "fits"),
    [
        (REST, 3, True),
        (3, 4, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, REST: REST}, {"a": 1, "b": 2}, True),
        ({"a": 1, REST: REST}, {"b": 2}, False),
        ({"a": 1}, [1], False),
        ([1, REST], [1, 2, 3], True),
        ([1, REST], [2, 2, 3], False),
        ([1], [1, 2], False),
        ([1, 2, REST], [1], False),
    ],
)
def test_only_what_is_left_out_may_differ(shown: object, given: object, fits: bool) -> None:
    assert matches(shown, given) is fits


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_request_has_an_example_and_a_row(system: str) -> None:
    told = reply(json.dumps({"do": "", "system": system}))["error"]["message"]
    known = set(str(told).removeprefix("do: expected one of ").split(", "))
    assert {request["do"] for request, answer in PAIRS[system] if "error" not in answer} == known
    assert all(f"| [`{request}`](#" in PARTS[system] for request in known)


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system != DEFAULT])
def test_every_key_of_a_position_has_a_row(system: str) -> None:
    """Every name of a field that the engine writes stands in the system's own part of the page."""
    request = next(asked for asked, _answer in PAIRS[system] if asked["do"] == "new")
    position = reply(json.dumps(request))["position"]
    named = set(re.findall(r"`(\w+)`", PARTS[system]))
    assert position.keys() <= named


def test_every_link_inside_the_page_leads_to_a_heading() -> None:
    headings = re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]*)\)", TEXT)) <= anchors


@pytest.mark.parametrize(
    ("system", "shown"),
    [(name, step) for name, steps in STEPS.items() for step in steps],
    ids=lambda given: given if isinstance(given, str) else next(iter(given)),
)
def test_a_step_is_written_as_shown(system: str, shown: dict[str, Any]) -> None:
    rules = system_named(system)
    assert rules.write_step(rules.read_step(shown)) == shown


@pytest.mark.parametrize(("system", "kinds"), [("sonae", SonaeStep), ("generals", GeneralsStep)])
def test_every_kind_of_step_is_shown_and_has_a_row(system: str, kinds: UnionType) -> None:
    rules = system_named(system)
    assert {type(rules.read_step(step)) for step in STEPS[system]} == set(kinds.__args__)
    assert all(f"`{next(iter(step))}`" in PARTS[system] for step in STEPS[system])


def test_every_kind_of_step_is_shown_in_both_forms() -> None:
    kinds = set(Step.__args__)
    assert {type(step_from_json(step)) for step in STEPS["orders"]} == kinds
    assert {type(parse_step(line)) for line in LINES} == kinds


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_text_is_written_as_shown(line: str) -> None:
    assert format_step(parse_step(line)) == line


def test_every_reading_with_two_answers_is_on_the_page() -> None:
    sengoku, world_war = (
        [load_board(board).mode.readings for board in boards]
        for boards in (("sengoku-rivers", "sengoku-fortress"), ("wwii-alpine", "wwii-island"))
    )
    switched = {
        f"| `{reading.name}` | {reading.question} | {reading.other} |"
        for readings in (*sengoku, *({k: v for k, v in mode.items() if k not in sengoku[0]} for mode in world_war))
        for reading in readings.values()
        if reading.other
    }
    assert switched == set(re.findall(r"^\| `[a-z-]+` \| [^|]*\? \| [^|]* \|$", PARTS[DEFAULT], re.MULTILINE))
