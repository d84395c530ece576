"""After the app's end the lamps are put out, if the settings give us any."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.desk import dark
from hardware.errors import PinsError
from hardware.simulated_pins import SimulatedPins
from hardware.wiring import Wiring

Taken = list[SimulatedPins]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Taken:
    pins: Taken = []

    def open_pins(wiring: Wiring) -> SimulatedPins:
        pins.append(SimulatedPins(wiring))
        return pins[-1]

    monkeypatch.setattr(dark, "open_gpio", open_pins)
    return pins


@pytest.fixture
def wish(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    def write(text: str) -> None:
        (tmp_path / "settings.toml").write_text(text)
        monkeypatch.setenv("GUNBAI_SETTINGS", str(tmp_path / "settings.toml"))

    return write


def test_the_wired_pins_are_taken_and_let_go_of(wish: Callable[[str], None], taken: Taken) -> None:
    wish("[desk]\npins = true\ninverted = ['lamps']\n[pins]\nbuzzer = 10\n")
    assert dark.main() == 0
    assert [pins.wiring for pins in taken] == [Wiring(buzzer=10, inverted=("lamps",))]
    assert [pins.closed for pins in taken] == [True]


@pytest.mark.parametrize("text", ["", "[desk]\npins = false\n", '[desk]\ncontroller = "/dev/table"\n'])
def test_pins_that_are_not_ours_are_left_alone(wish: Callable[[str], None], taken: Taken, text: str) -> None:
    wish(text)
    assert dark.main() == 0
    assert taken == []


def test_pins_that_cannot_be_had_are_one_line(
    wish: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(wiring: Wiring) -> SimulatedPins:
        raise PinsError("this machine isn't a Raspberry Pi, so it has no pins")

    wish("[desk]\npins = true\n")
    monkeypatch.setattr(dark, "open_gpio", refuse)
    assert dark.main() == 1
    assert capsys.readouterr().err == "gunbai: this machine isn't a Raspberry Pi, so it has no pins\n"
