"""The sketch's own loop, and what of it the common suite does not reach."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator

import pytest

from hardware.sketches import table_controller as sketch
from hardware.sketches.table_controller import Board, Controller
from hardware.wire import LONGEST_LINE, Levels, LineParser, buzz_line, dark, line, message_of, ping
from tests.hardware import sketch_rig
from tests.hardware.sketch_rig import PWM, NeoPixel, Pin


@pytest.fixture(autouse=True)
def faked() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        sketch_rig.put_in(patch)
        yield patch


class Cable(io.BytesIO):
    """Standard input and output of a Pico: its USB cable."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.buffer = self
        self.said = ""

    def register(self, _stream: object, _kind: int) -> None:
        """Ignore a stream to be polled: this object is its own poll."""

    def poll(self, timeout_ms: int) -> list[int]:
        assert timeout_ms == 0
        return [] if self.tell() == len(self.getvalue()) else [1]


class PoweredOff(Exception):
    """Ends the loop that has no end."""


def test_the_loop_runs_on_the_picos_own_clock_and_cable(faked: pytest.MonkeyPatch) -> None:
    cable = Cable(b"\xff\x00 garbage\r\n" + ping() + line("LMP", "FF0000", "0000FF", 0, 1))
    ticks = iter([2**30 - 300, *[(2**30 - 300 + beat * 5) % 2**30 for beat in range(200)]])

    def ticks_ms() -> int:
        try:
            return next(ticks)
        except StopIteration:
            raise PoweredOff from None

    faked.setattr(time, "ticks_ms", ticks_ms, raising=False)
    faked.setattr(time, "ticks_diff", lambda late, early: (late - early + 2**29) % 2**30 - 2**29, raising=False)
    faked.setattr(sketch, "poll", lambda: cable)
    faked.setattr("sys.stdin", cable)
    said: list[str] = []
    faked.setattr("sys.stdout.write", said.append)
    with pytest.raises(PoweredOff):
        sketch.main()
    faked.undo()
    kinds = [sentence.kind for sentence in LineParser().feed("".join(said).encode())]
    assert kinds[:2] == ["HEL", "HEL"]
    assert kinds.count("NOW") == 5  # the first one twice, and four times a second, over the end of the ticks
    assert NeoPixel.lit[:4] == [(255, 0, 0), (0, 0, 255), (0, 0, 0), (255, 0, 0)]


def test_what_is_not_wired_is_left_out(faked: pytest.MonkeyPatch) -> None:
    for name in ("ENCODER_A", "TRAY", "BUZZER", "STRIP_LAMPS"):
        faked.setattr(sketch, name, 0)
    faked.setattr(sketch, "BUTTONS", {"confirm-one": 2})
    controller = Controller(Board(), 7)
    (hello,) = LineParser().feed(controller.said().encode())
    assert hello.fields == ("1", "07", "0001", "0", "0", "0")
    controller.hear(buzz_line(((1.0, 1.0),)) + line("STR", 0, "FFFFFF"))
    controller.step(1000)
    (now,) = LineParser().feed(controller.said().encode())
    assert message_of(now) == Levels(7, frozenset(), 0)
    assert NeoPixel.lit == [(0, 0, 0)] * 4


def test_a_pattern_sounds_as_it_is_written() -> None:
    controller = Controller(Board(), 0)
    controller.hear(buzz_line(((0.1, 0.05), (0.2, 0.0))))
    sounding = []
    for now_ms in range(1, 401):
        controller.step(now_ms)
        sounding.append(PWM.sounding)
    assert sum(sounding[:120]) == pytest.approx(100, abs=2)
    assert not any(sounding[105:145])
    assert sum(sounding) == pytest.approx(300, abs=4)
    controller.hear(buzz_line(((5.0, 0.0),)))
    controller.step(402)
    assert PWM.sounding
    controller.hear(dark())
    assert not PWM.sounding


def test_lines_that_are_wrong_in_themselves_change_nothing() -> None:
    controller = Controller(Board(), 0)
    controller.hear(line("LMP", "00FF00", "000000", 0, 0))
    lit = list(NeoPixel.lit)
    for bad in (line("LMP", "red"), line("STR"), line("STR", "x"), line("BUZ", "x"), line("GOT", "x"), line("NEW", 1)):
        controller.hear(bad)
    controller.hear(b"$GBDRK*00\r\n$GBDRK\r\n$GPDRK*56\r\n" + b"$" + b"9" * 200 + b"\r\n" + bytes(range(256)))
    assert NeoPixel.lit == lit
    assert len(controller.held_line) <= LONGEST_LINE


def test_a_bouncing_encoder_turns_by_whole_clicks() -> None:
    board = Board()
    bounces = [(0, 1), (1, 1), (0, 1), (0, 0), (0, 1), (0, 0), (1, 0), (0, 0), (1, 0), (1, 1), (1, 0), (1, 1)]
    for first, second in bounces:
        Pin.levels[sketch.ENCODER_A], Pin.levels[sketch.ENCODER_B] = first, second
        board.watch(0)
    assert board.clicks == 1
