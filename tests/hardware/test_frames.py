"""Bytes of serial lines: codes of card readers, and the controller's protocol, both ways, and what is not of it."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import FrameError
from hardware.events import CONTROLS
from hardware.frames import LONGEST_CODE, SHORTEST_CODE, CodeParser, Framing, tag_frame, tag_of
from hardware.lights import Lights
from hardware.wire import (
    CLICKS_ROUND,
    LONGEST_LINE,
    MOST_DICE,
    MOST_LAMPS,
    Hello,
    Levels,
    LineParser,
    Message,
    Sentence,
    Throw,
    buzz_line,
    checksum,
    dark,
    got,
    lights_lines,
    line,
    lines_of,
    message_of,
    ping,
    rgb,
    sentence_of,
)

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


BYTE = st.integers(0, 255)
CONTROL_SETS = st.frozensets(st.sampled_from(CONTROLS))
MESSAGES: st.SearchStrategy[Message] = st.one_of(
    st.builds(Hello, st.integers(0, 999), BYTE, CONTROL_SETS, st.integers(0, MOST_LAMPS), st.booleans(), st.booleans()),
    st.builds(Levels, BYTE, CONTROL_SETS, st.integers(0, CLICKS_ROUND - 1)),
    st.builds(Throw, BYTE, BYTE, st.lists(st.integers(0, 99), max_size=MOST_DICE).map(tuple)),
)
LINE_CLUTTER = st.one_of(
    st.binary(max_size=60),
    MESSAGES.map(lines_of),
    MESSAGES.map(lambda message: lines_of(message)[:12]),
    st.sampled_from([ping(), dark(), b"$GBNOW,01,0000,0000*00\r\n", b"\r\n", b"$" + b"A" * 200 + b"\r\n"]),
)


# ---- the form ----------------------------------------------------------------------------------


def test_the_checksum_is_that_of_nmea_0183() -> None:
    """A sentence that receivers send everywhere, with its own checksum."""
    assert checksum(b"GPGLL,5300.97914,N,00259.98174,E,125926,A") == 0x28


def test_lines_are_as_the_page_on_the_protocol_has_them() -> None:
    assert ping() == b"$GBPNG,1*41\r\n"
    assert dark() == b"$GBDRK*58\r\n"
    assert got(Throw(0x5A, 0x0C, ())) == b"$GBGOT,0C*06\r\n"
    assert buzz_line(((0.1, 0.05), (0.2, 0.0))) == b"$GBBUZ,100,50,200,0*7E\r\n"
    assert lines_of(Hello(1, 0x5A, frozenset(CONTROLS[:7]), 16, True, True)) == b"$GBHEL,1,5A,007F,16,1,1*77\r\n"
    assert lines_of(Levels(0x5A, frozenset({"confirm-one"}), 0)) == b"$GBNOW,5A,0001,0000*0A\r\n"
    assert lines_of(Throw(0x5A, 0x0C, (3, 1, 6))) == b"$GBTHR,5A,0C,3,1,6*54\r\n"


@given(MESSAGES)
def test_every_message_comes_back(message: Message) -> None:
    (sentence,) = LineParser().feed(lines_of(message))
    assert message_of(sentence) == message
    assert len(lines_of(message)) <= LONGEST_LINE


@given(st.lists(LINE_CLUTTER, max_size=12), st.lists(st.integers(0, 2000), max_size=20))
def test_any_split_of_the_bytes_gives_the_same_sentences(clutter: list[bytes], cuts: list[int]) -> None:
    data = b"".join(clutter)
    whole, parts = LineParser(), LineParser()
    assert whole.feed(data) == sum((parts.feed(part) for part in split(data, cuts)), ())
    assert whole.tally == parts.tally


@given(st.binary(max_size=100), MESSAGES)
def test_a_line_is_read_whatever_came_before(clutter: bytes, message: Message) -> None:
    assert message_of(LineParser().feed(clutter + lines_of(message))[-1]) == message


@given(MESSAGES, st.data())
def test_a_line_with_one_byte_wrong_or_lost_tells_nothing_else(message: Message, data: st.DataObject) -> None:
    sound = lines_of(message)
    place = data.draw(st.integers(0, len(sound) - 3))
    byte = data.draw(st.one_of(st.just(b""), BYTE.map(lambda value: bytes([value]))))
    heard = LineParser().feed(sound[:place] + byte + sound[place + 1 :])
    assert [message_of(sentence) for sentence in heard] in ([], [message])


def test_lost_characters_are_seen_where_the_checksum_holds() -> None:
    """Two equal characters that are lost leave the exclusive or as it was; the width of the field tells."""
    (sentence,) = LineParser().feed(lines_of(Levels(1, frozenset(), 0)).replace(b"0000*", b"00*"))
    with pytest.raises(FrameError):
        message_of(sentence)


@pytest.mark.parametrize(
    "text", [b"$GBPNG,1", b"$GBPNG,1*7f", b"$GBPNG,1*7", b"$GBPNG,1*07F", b"$GPGGA*56", b"$*00", b"$GBLONG*4F"]
)
def test_what_is_no_line_of_ours_is_refused(text: bytes) -> None:
    with pytest.raises(FrameError):
        sentence_of(text)


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence("XYZ"),
        Sentence("HEL", ("1",)),
        Sentence("HEL", ("1", "5A", "007F", str(MOST_LAMPS + 1), "1", "1")),
        Sentence("HEL", ("1", "5A", "007F", "16", "2", "1")),
        Sentence("HEL", ("one", "5A", "007F", "16", "1", "1")),
        Sentence("HEL", ("1", "5a", "007F", "16", "1", "1")),
        Sentence("NOW", ("5A", "0001")),
        Sentence("NOW", ("5A", "001", "0000")),
        Sentence("NOW", ("5A", "0001", "+001")),
        Sentence("THR", ("5A",)),
        Sentence("THR", ("5A", "01", "")),
        Sentence("THR", ("5A", "01", "100")),
        Sentence("THR", ("5A", "01", "²")),
        Sentence("THR", ("5A", "01", *["1"] * (MOST_DICE + 1))),
    ],
)
def test_fields_that_cannot_be_are_refused(sentence: Sentence) -> None:
    with pytest.raises(FrameError):
        message_of(sentence)


def test_later_versions_may_add_fields_and_controls() -> None:
    assert message_of(Sentence("NOW", ("5A", "F001", "0000", "more"))) == Levels(0x5A, frozenset({"confirm-one"}), 0)
    hello = message_of(Sentence("HEL", ("2", "5A", "0000", "0", "0", "0", "a name")))
    assert hello == Hello(2, 0x5A, frozenset(), 0, False, False)


def test_noise_makes_no_lines() -> None:
    chance = Random(6)
    parser = LineParser()
    for _ in range(40):
        assert parser.feed(chance.randbytes(2500)) == ()
    assert parser.tally.skipped_bytes > 98_000


# ---- lamps and tones ---------------------------------------------------------------------------


@given(st.integers(0, MOST_LAMPS), st.lists(st.tuples(*[st.floats(0, 1)] * 3), max_size=MOST_LAMPS + 9))
def test_every_lamp_of_the_strip_is_told_once(lamps: int, strip: list[tuple[float, float, float]]) -> None:
    told = LineParser().feed(lights_lines(Lights(strip=tuple(strip)), lamps))
    assert told[0] == Sentence("LMP", ("000000", "000000", "0", "0"))
    colours = [colour for sentence in told[1:] for colour in sentence.fields[1:]]
    assert colours == [*map(rgb, strip[:lamps]), *["000000"] * (lamps - len(strip))]
    assert [int(sentence.fields[0]) for sentence in told[1:]] == list(range(0, lamps, 8))


def test_colours_beyond_their_range_are_the_nearest() -> None:
    assert rgb((1.5, -1.0, 0.5)) == "FF0080"


def test_a_pattern_is_cut_where_it_is_too_long() -> None:
    assert buzz_line(()) == line("BUZ")
    assert buzz_line(((0.1, 0.1),) * 9) == line("BUZ", *[100] * 12)
    assert buzz_line(((60.0, 0.0),)) == line("BUZ", 9999, 0)
    assert len(buzz_line(((60.0, 60.0),) * 9)) <= LONGEST_LINE
