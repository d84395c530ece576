"""The examples of docs/protocol.md are what the referee answers."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.orders.board import load_board
from engine.orders.notation import format_position, format_step, parse_position, parse_step
from engine.orders.steps import Step
from engine.orders.wire import step_from_json, step_to_json
from engine.referee import reply

TEXT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
FENCES = re.findall(r"^```(json|text)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
JSON = [json.loads(body) for kind, body in FENCES if kind == "json"]
LINES = [line for kind, body in FENCES if kind == "text" for line in body.splitlines()]
STEPS, *EXAMPLES = JSON
PAIRS = list(zip(EXAMPLES[::2], EXAMPLES[1::2], strict=True))
REST = "..."


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


@pytest.mark.parametrize(
    ("request_shown", "answer_shown"), PAIRS, ids=[f"{i}-{r['do']}" for i, (r, _) in enumerate(PAIRS)]
)
def test_an_example_is_answered_as_shown(request_shown: dict[str, Any], answer_shown: dict[str, Any]) -> None:
    given = reply(json.dumps(request_shown))
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


def test_every_request_has_an_example_and_a_row() -> None:
    known = set(str(reply('{"do": ""}')["error"]["message"]).removeprefix("do: one of ").split(", "))
    assert {request["do"] for request, answer in PAIRS if "error" not in answer} == known
    assert all(f"| [`{request}`](#" in TEXT for request in known)


def test_every_link_inside_the_page_leads_to_a_heading() -> None:
    headings = re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]*)\)", TEXT)) <= anchors


@pytest.mark.parametrize("shown", STEPS, ids=lambda step: next(iter(step)))
def test_a_step_is_written_as_shown(shown: dict[str, Any]) -> None:
    assert step_to_json(step_from_json(shown)) == shown


def test_every_kind_of_step_is_shown_in_both_forms() -> None:
    kinds = set(Step.__args__)
    assert {type(step_from_json(step)) for step in STEPS} == kinds
    assert {type(parse_step(line)) for line in LINES if not line.startswith("sengoku")} == kinds


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_text_is_written_as_shown(line: str) -> None:
    if line.startswith("sengoku"):
        assert format_position(parse_position(line)) == line
    else:
        assert format_step(parse_step(line)) == line


def test_every_reading_is_named_with_its_switch() -> None:
    rows = {
        row[0].strip(" `"): row[2].strip() for row in re.findall(r"^\|([^|]*)\|([^|]*)\|([^|]*)\|$", TEXT, re.MULTILINE)
    }
    for reading in load_board("sengoku-rivers").mode.readings.values():
        assert bool(rows[reading.name]) == bool(reading.other)
