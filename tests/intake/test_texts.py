"""Files of strangers, JSON and TOML: plain files of a bounded length and plain values, or one sentence, and soon."""

import json
import os
import threading
from pathlib import Path

import pytest

from intake import files
from intake.errors import Unreadable
from intake.files import read_file, read_file_or_pipe
from intake.json_text import MOST_BYTES, MOST_DEPTH, parse_json, parse_object
from intake.text import decode_text
from intake.toml_text import MOST_DOTS, parse_toml

READERS = (read_file, read_file_or_pipe)


@pytest.mark.parametrize("read", READERS)
def test_a_plain_file_is_read_up_to_its_limit(read: files.Reader, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    (tmp_path / "link").symlink_to(path)
    assert read(path, 5) == read(str(tmp_path / "link"), 5) == b"12345"
    with pytest.raises(Unreadable, match=r"^longer than 4 bytes, the limit$"):
        read(path, 4)


@pytest.mark.parametrize(("most", "said"), [(4000, "4 kB"), (64_000_000, "64 MB")])
def test_a_limit_is_said_in_round_numbers(most: int, said: str, tmp_path: Path) -> None:
    with (tmp_path / "a").open("wb") as file:
        file.truncate(most + 1)
    with pytest.raises(Unreadable, match=f"^longer than {said}, the limit$"):
        read_file(tmp_path / "a", most)


@pytest.mark.parametrize("read", READERS)
def test_what_is_no_file_is_refused(read: files.Reader, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"^not a plain file$"):
        read("/dev/zero", 10)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none", 10)
    with pytest.raises(Unreadable, match=r"^not a plain file$"):
        read(tmp_path, 10)
    with pytest.raises(Unreadable, match=r"^not a possible file name$"):
        read("a\0b", 10)


def test_a_pipe_among_files_holds_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match=r"^not a plain file$"):
        read_file(tmp_path / "pipe", 10)


def test_what_is_written_into_a_pipe_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)  # it never waits, and holds the pipe open
    os.write(writer, b"123")
    with pytest.raises(Unreadable, match=r"^longer than 2 bytes"):
        read_file_or_pipe(tmp_path / "pipe", 2)
    os.write(writer, b"45")
    threading.Timer(0.05, os.close, (writer,)).start()
    assert read_file_or_pipe(tmp_path / "pipe", 5) == b"45"


def test_a_pipe_that_nobody_writes_into_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE_S", 0.01)
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)
    with pytest.raises(Unreadable, match=r"^nothing writes to this pipe$"):
        read_file_or_pipe(tmp_path / "pipe", 10)
    os.close(writer)


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


def test_json_is_read_as_it_is_asked_for() -> None:
    assert parse_object('{"a": 1}') == {"a": 1}
    with pytest.raises(Unreadable, match=r"^not a JSON object$"):
        parse_object("[1]")
    text = "[" * MOST_DEPTH + "]" * MOST_DEPTH
    assert json.dumps(parse_json(text)) == text
    assert parse_object('{"caf\\udce9": 1}', halves=True) == {os.fsdecode(b"caf\xe9"): 1}


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
    points = [[n + 0.5, -n - 0.25] for n in range(5000)]
    assert parse_toml(f"outline = {points}") == {"outline": points}


def test_text_may_begin_with_a_byte_order_mark() -> None:
    assert decode_text(b"\xef\xbb\xbfa") == "a"
