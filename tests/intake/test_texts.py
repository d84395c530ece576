"""JSON and TOML of strangers: plain values, or one sentence, and soon."""

import json
import os

import pytest

from intake.errors import Unreadable
from intake.json_text import MOST_BYTES, MOST_DEPTH, parse_json, parse_object
from intake.text import decode_text
from intake.toml_text import MOST_DOTS, parse_toml

REFUSED_JSON: dict[str, tuple[str | bytes, str]] = {
    "nothing": ("", "not JSON: Expecting value (line 1, column 1)"),
    "cut off": ('{"a":', "not JSON: Expecting value (line 1, column 6)"),
    "deep": ("[" * 3000 + "]" * 3000, "nested too deeply"),
    "just too deep": ("[" * (MOST_DEPTH + 1) + "]" * (MOST_DEPTH + 1), "nested too deeply"),
    "many lists": ("[" + "[]," * 400_001 + "1]", "more than 400000 objects and lists"),
    "many digits": ("1" * 5000, "a number beyond 64 bits"),
    "just beyond": (str(2**63), "a number beyond 64 bits"),
    "a large power": ('{"a": 1e400}', "too large a number"),
    "many digits before the point": ("9" * 400 + ".0", "too large a number"),
    "infinity": ("[-Infinity]", "-Infinity isn't a JSON number"),
    "not a number": ("[NaN]", "NaN isn't a JSON number"),
    "half a pair as it is": ('"caf\udce9"', "half a surrogate pair, not a character"),
    "half a pair": ('"\\uD800"', "half a surrogate pair, not a character"),
    "too long": (" " * (MOST_BYTES + 1), "longer than 4000000 bytes, the limit"),
    "no text": (b'"caf\xe9"', "not a text file (byte 4 is not UTF-8)"),
}


@pytest.mark.parametrize("case", REFUSED_JSON)
def test_json_beyond_a_limit_is_refused_in_a_sentence(case: str) -> None:
    given, why = REFUSED_JSON[case]
    with pytest.raises(Unreadable) as refused:
        parse_json(given)
    assert str(refused.value) == why


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, -2.5, None, True, "é\u2028😀"]},
        ["[" * 500, "{" * 500, '"[' * 100, "\\["],
        [2**63 - 1, -(2**63), 1.7e308, "1e400 NaN " + "9" * 30],
        {"nested": [[[[[1]]]]] * 100},
    ],
)
def test_honest_json_is_read_as_it_is(value: object) -> None:
    assert parse_json(json.dumps(value)) == value
    assert parse_json(json.dumps(value, ensure_ascii=False).encode()) == value


def test_halves_of_pairs_are_read_where_names_of_files_may_have_them() -> None:
    assert parse_object('{"caf\\udce9": 1}', halves=True) == {os.fsdecode(b"caf\xe9"): 1}


def test_the_deepest_json_that_is_read() -> None:
    text = "[" * MOST_DEPTH + "]" * MOST_DEPTH
    assert json.dumps(parse_json(text)) == text


def test_an_object_is_wanted_where_one_is_asked_for() -> None:
    assert parse_object('{"a": 1}') == {"a": 1}
    with pytest.raises(Unreadable, match=r"^not a JSON object$"):
        parse_object("[1]")


REFUSED_TOML = {
    "no TOML": ("a = ", "Invalid value (at end of document)"),
    "deep": ("a = " + "[" * 3000, "nested too deeply"),
    "deep, but balanced": ("a = " + "[" * 40 + "]" * 40, "nested too deeply"),
    "many digits": ("a = " + "9" * 5000, "a number with too many digits"),
    "just beyond": (f"a = {2**63}", "a: a number beyond 64 bits"),
    "infinity": ("a = [inf]", "a: inf isn't a usable number"),
    "not a number": ("[a]\nb = nan", "a.b: nan isn't a usable number"),
    "a key of many parts": (".".join("a" * 99_000) + " = 1", "a line with too many parts"),
    "a key of many numbers": ("1 .1." * 30_000 + "1 = 1", "a line with too many parts"),
    "its line ends in disguise": (".".join(['"\u2028"'] * (MOST_DOTS + 2)) + " = 1", "a line with too many parts"),
    "too long": (" " * 200_001, "longer than 200000 characters"),
}


@pytest.mark.parametrize("case", REFUSED_TOML)
def test_toml_beyond_a_limit_is_refused_in_a_sentence(case: str) -> None:
    text, why = REFUSED_TOML[case]
    with pytest.raises(Unreadable) as refused:
        parse_toml(text)
    assert str(refused.value) == why


def test_honest_toml_is_read_as_it_is() -> None:
    assert parse_toml('a = 1\n[b.c]\nd = [1.5, "x", { e = true }]') == {
        "a": 1,
        "b": {"c": {"d": [1.5, "x", {"e": True}]}},
    }


def test_a_long_list_of_numbers_is_no_long_key() -> None:
    points = [[n + 0.5, -n - 0.25] for n in range(5000)]
    assert parse_toml(f"outline = {points}") == {"outline": points}


def test_text_may_begin_with_a_byte_order_mark() -> None:
    assert decode_text(b"\xef\xbb\xbfa") == "a"
