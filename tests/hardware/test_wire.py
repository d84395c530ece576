"""The controller's line protocol: its form, both ways, and what is not of it."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import FrameError
from hardware.events import CONTROLS
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

BYTE = st.integers(0, 255)
CONTROL_SETS = st.frozensets(st.sampled_from(CONTROLS))
MESSAGES: st.SearchStrategy[Message] = st.one_of(
    st.builds(Hello, st.integers(0, 999), BYTE, CONTROL_SETS, st.integers(0, MOST_LAMPS), st.booleans(), st.booleans()),
    st.builds(Levels, BYTE, CONTROL_SETS, st.integers(0, CLICKS_ROUND - 1)),
    st.builds(Throw, BYTE, BYTE, st.lists(st.integers(0, 99), max_size=MOST_DICE).map(tuple)),
)
CLUTTER = st.one_of(
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


@given(st.lists(CLUTTER, max_size=12), st.lists(st.integers(0, 2000), max_size=20))
def test_any_split_of_the_bytes_gives_the_same_sentences(clutter: list[bytes], cuts: list[int]) -> None:
    data = b"".join(clutter)
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    whole, parts = LineParser(), LineParser()
    assert whole.feed(data) == sum((parts.feed(data[start:end]) for start, end in pairwise(edges)), ())
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
