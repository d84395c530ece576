"""Why there are no pins, in one sentence each; the rest of the real code is in the conformance suite (test_pins)."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from hardware.errors import PinsError
from hardware.pins import GpioPins, open_gpio
from hardware.wiring import Wiring
from tests.hardware.rigs import OUT, PULL_UP, Chip, Line, on_a_pi


class ChipError(Exception):
    """As lgpio's own exception, which is no OSError."""


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            gpiozero.PinUnknownPi("unable to locate Pi revision"),
            "^this machine isn't a Raspberry Pi, so it has no pins: unable",
        ),
        (ChipError("can not open gpiochip"), r"is it in the group gpio\? can not open gpiochip"),
    ],
    ids=["another machine", "a user who may not"],
)
def test_pins_that_cannot_be_opened_say_why(monkeypatch: pytest.MonkeyPatch, error: Exception, told: str) -> None:
    def refuse() -> None:
        raise error

    library, module = ModuleType("lgpio"), ModuleType("gpiozero.pins.lgpio")
    library.error = ChipError  # type: ignore[attr-defined]
    module.LGPIOFactory = refuse  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lgpio", library)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", module)
    with pytest.raises(PinsError, match=told):
        open_gpio(Wiring())


def test_without_lgpio_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    with pytest.raises(PinsError, match=r"^the pins need the package python3-lgpio, which isn't installed$"):
        open_gpio(Wiring())


def test_a_library_that_cannot_make_its_pipe_is_no_traceback(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "lgpio.py").write_text("open('/nowhere/.lgd-nfy-3')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(PinsError, match="cannot make its pipe"):
        open_gpio(Wiring())


@pytest.mark.parametrize("writable", [True, False])
def test_importing_the_library_leaves_nothing_where_we_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, writable: bool
) -> None:
    library, here = tmp_path / "library", tmp_path / "here"
    library.mkdir()
    here.mkdir()
    (library / "lgpio.py").write_text(
        "from pathlib import Path\n"
        "Path('.lgd-nfy0').touch()\n"
        f"raise ImportError if Path.cwd() == Path({str(here)!r}) else OSError(30, 'elsewhere')\n"
    )
    monkeypatch.chdir(here)
    monkeypatch.syspath_prepend(library)
    monkeypatch.setattr(os, "access", lambda path, mode: writable)
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(PinsError, match="which isn't installed" if writable else "elsewhere"):
        open_gpio(Wiring())
    assert list(here.iterdir()) == []
    assert Path.cwd() == here


def test_a_folder_that_the_user_may_not_enter_again_is_left_for_good(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    change = os.chdir

    def chdir(path: object) -> None:
        if Path(str(path)) == tmp_path:
            raise PermissionError(13, "Permission denied", str(path))
        change(str(path))

    with monkeypatch.context() as patched:
        patched.setattr(os, "access", lambda path, mode: False)
        patched.setattr(os, "chdir", chdir)
        patched.setitem(sys.modules, "gpiozero.pins.lgpio", None)
        with pytest.raises(PinsError, match="which isn't installed"):
            open_gpio(Wiring())
        assert Path.cwd() == Path("/")


def test_a_pin_that_another_driver_has_is_named_and_the_rest_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    factory = MockFactory()
    taken = gpiozero.OutputDevice(7, pin_factory=factory)
    with pytest.raises(PinsError, match=r"^choose can't use pin 7; is something else using it\? "):
        GpioPins(Wiring(), factory)
    assert factory.pins == {}
    taken.close()


def test_closing_leaves_inputs_and_a_closed_chip_and_they_can_be_had_again() -> None:
    chip = Chip()
    with on_a_pi(chip):
        for _ in range(2):
            pins = open_gpio(Wiring())
            pins.drive({"unsure": True, "buzzer": True})
            assert chip.lit() == {Wiring().unsure, Wiring().buzzer}
            pins.close()
            assert set(chip.lines) == set(Wiring().pins().values())
            assert not any(line.flags & OUT for line in chip.lines.values())
            assert not chip.is_open
    assert chip.cut == set()


def test_opening_puts_out_what_another_process_left_lit() -> None:
    chip = Chip()
    chip.lines = {Wiring().turn_red: Line(OUT, 1)}
    with on_a_pi(chip):
        open_gpio(Wiring()).close()
    assert chip.lit() == set()


def test_a_line_of_another_driver_is_named_and_everything_let_go_of() -> None:
    chip = Chip()
    chip.busy = {Wiring().choose}
    with on_a_pi(chip), pytest.raises(PinsError, match=r"^choose can't use pin 7; is .* using it\? GPIO busy$"):
        open_gpio(Wiring())
    assert not chip.is_open
    assert not any(line.flags & OUT for line in chip.lines.values())


def test_contacts_are_pulled_up_and_the_encoders_too() -> None:
    chip = Chip()
    with on_a_pi(chip):
        pins = open_gpio(Wiring())
        pulled = {number for number, line in chip.lines.items() if line.flags & PULL_UP}
        pins.close()
    assert pulled == {*Wiring().controls().values(), *(Wiring().encoder() or ())}
