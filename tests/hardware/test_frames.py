"""Codes out of the bytes of card readers."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import FrameError
from hardware.frames import LONGEST_CODE, SHORTEST_CODE, CodeParser, Framing, tag_frame, tag_of

TAG = "0F00A1B2C3"
FRAME = tag_frame(TAG)
FRAMINGS: tuple[Framing, ...] = ("any", "rdm6300", "scanner")

CODES = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=SHORTEST_CODE, max_size=LONGEST_CODE)
TAGS = st.binary(min_size=5, max_size=5).map(lambda tag: tag.hex().upper())
CLUTTER = st.one_of(
    st.binary(max_size=40),
    TAGS.map(tag_frame),
    CODES.map(lambda code: code.encode() + b"\r\n"),
    TAGS.map(lambda tag: tag_frame(tag)[:9]),
)


def split(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


# ---- the RDM6300's frame -----------------------------------------------------------------------


def test_the_frame_is_as_the_data_sheet_says() -> None:
    """4500B8F2B9: 45 xor 00 xor B8 xor F2 xor B9 = B6, reckoned by hand."""
    assert tag_frame("4500B8F2B9") == b"\x024500B8F2B9B6\x03"
    assert tag_of(b"\x024500b8f2b9b6\x03") == "4500B8F2B9"


@pytest.mark.parametrize("place", range(1, 13))
def test_any_wrong_digit_is_refused(place: int) -> None:
    for digit in b"0123456789ABCDEF":
        spoilt = FRAME[:place] + bytes([digit]) + FRAME[place + 1 :]
        if spoilt != FRAME:
            with pytest.raises(FrameError):
                tag_of(spoilt)


@given(TAGS)
def test_every_tag_comes_back(tag: str) -> None:
    assert tag_of(tag_frame(tag)) == tag


# ---- parsing -----------------------------------------------------------------------------------


@given(st.sampled_from(FRAMINGS), st.lists(CLUTTER, max_size=12), st.lists(st.integers(0, 2000), max_size=20))
def test_any_split_of_the_bytes_gives_the_same_codes(framing: Framing, clutter: list[bytes], cuts: list[int]) -> None:
    data = b"".join(clutter)
    whole, parts = CodeParser(framing), CodeParser(framing)
    assert whole.feed(data) == sum((parts.feed(part) for part in split(data, cuts)), ())
    assert whole.tally == parts.tally


@given(st.binary(max_size=60), TAGS)
def test_a_tag_is_read_whatever_came_before(clutter: bytes, tag: str) -> None:
    assert CodeParser("rdm6300").feed(clutter + tag_frame(tag))[-1] == tag


@given(st.binary(max_size=60), CODES, st.sampled_from([b"\r", b"\n", b"\r\n"]))
def test_a_line_is_read_whatever_came_before_its_beginning(clutter: bytes, code: str, ending: bytes) -> None:
    assert CodeParser("scanner").feed(clutter + b"\n" + code.encode() + ending)[-1] == code


@given(CODES)
def test_a_reader_of_unknown_make_is_recognised(code: str) -> None:
    unknown = CodeParser()
    assert unknown.feed(code.encode() + b"\r\n" + FRAME) == (code, TAG)
    assert unknown.framing == "rdm6300"
    assert unknown.feed(code.encode() + b"\r\n" + FRAME) == (TAG,)
    unknown.begin("any")
    assert unknown.feed(code.encode() + b"\r") == (code,)


def test_a_framing_that_was_told_reads_nothing_else() -> None:
    assert CodeParser("scanner").feed(FRAME + b"\rCARD-1\r" + FRAME) == ("CARD-1",)
    assert CodeParser("rdm6300").feed(b"CARD-1\r" + FRAME + b"CARD-2\r") == (TAG,)


@pytest.mark.parametrize(
    ("data", "codes", "skipped"),
    [
        (b"CARD\rCARD\nCARD\r\n\r\n\n", ("CARD",) * 3, 0),
        (b"CARD\tCARD\r\tCARD\t", ("CARD",) * 3, 0),
        (b"ABC\rABCD\r", ("ABCD",), 3),
        (b"A" * LONGEST_CODE + b"\r", ("A" * LONGEST_CODE,), 0),
        (b"A" * (LONGEST_CODE + 9) + b"\rGOOD\r", ("GOOD",), LONGEST_CODE + 9),
        (b"CA\x00RD-17\rGOOD\r", ("GOOD",), 8),
        (FRAME[:-1] + b"\x04" + b"ABCD\rGOOD\r", ("GOOD",), 18),
        (FRAME[:8] + b"\rGOOD\r", ("GOOD",), 9),
        (FRAME[:8] + FRAME, (TAG,), 8),
        (FRAME[:-1] + b"0\x03" + FRAME, (TAG,), 15),
        (b"\x02" + b"0" * 11 + b"1\x03" + FRAME, (TAG,), 14),
        (b"ABCD" + FRAME, (TAG,), 4),
    ],
)
def test_what_is_no_frame_is_skipped_and_counted(data: bytes, codes: tuple[str, ...], skipped: int) -> None:
    parser = CodeParser()
    assert parser.feed(data) == codes
    assert (parser.tally.frames, parser.tally.skipped_bytes) == (len(codes), skipped)


@pytest.mark.parametrize(
    ("data", "codes", "skipped"),
    [
        (b"CARD-17", ("CARD-17",), 0),
        (b"ABC", (), 3),
        (b"A" * (LONGEST_CODE + 1), (), LONGEST_CODE + 1),
        (b"CA\x00RD-17", (), 8),
        (b"GOOD\rCARD-17", (), 0),
        (b"ABC\rCARD-17", ("CARD-17",), 3),
        (FRAME[:8], (), 0),
        (FRAME + b"CARD-17", (), 7),
    ],
)
def test_a_silence_ends_a_line_where_nothing_else_does(data: bytes, codes: tuple[str, ...], skipped: int) -> None:
    parser = CodeParser()
    parser.feed(data)
    assert parser.pause() == codes
    assert parser.pause() == ()
    assert parser.tally.skipped_bytes == skipped


def test_a_replugged_scanner_may_be_another_one() -> None:
    parser = CodeParser()
    parser.feed(b"GOOD\r")
    parser.begin("any")
    parser.feed(b"CARD-17")
    assert parser.pause() == ("CARD-17",)


def test_a_wrong_checksum_is_counted() -> None:
    parser = CodeParser()
    parser.feed(b"\x02" + b"0" * 11 + b"1\x03")
    assert parser.tally.bad_checksums == 1


@pytest.mark.parametrize("framing", FRAMINGS)
def test_noise_makes_no_tags_and_no_memory(framing: Framing) -> None:
    """Expect next to no tags from noise, and no growing memory.

    A tag in noise is one in 10^20 bytes; a line of four or more printable characters between two ends is one in a
    quarter of a million: `q p^4 / (1 - p)` after each end of a line, p = 95/256 printable, q = 3/256 ends, q again for
    these.
    """
    chance = Random(6)
    parser = CodeParser(framing)
    tracemalloc.start()
    lines = 0
    for _ in range(40):
        lines += len(parser.feed(chance.randbytes(2500)))
    _, most_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lines <= (0 if framing == "rdm6300" else 2)
    assert most_bytes < 50_000
    assert parser.tally.skipped_bytes > 98_000
