"""Switching the machine off from the screen: logind is asked, and a refusal is told in a sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.app.app import App
from companion.core.power import Power, PowerAction, PowerError, ask_logind
from companion.scenes.settings.power import PowerScene
from companion.ui.screen import Intent
from tests.companion.gallery.rooms.power import appliance
from tests.companion.touching import Hand, buttons
from tests.patience import PATIENCE_S, until


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a `busctl` that the test writes."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def answers(bus: Path, lines: str) -> None:
    program = bus / "busctl"
    program.write_text(f"#!{sys.executable}\nimport sys\n{lines}\n")
    program.chmod(0o755)


@pytest.mark.parametrize(("action", "method"), [("off", "PowerOff"), ("restart", "Reboot")])
def test_logind_is_asked_without_a_question_to_anybody(
    bus: Path, monkeypatch: pytest.MonkeyPatch, action: PowerAction, method: str
) -> None:
    answers(bus, f"open({str(bus / 'said')!r}, 'w').write(' '.join(sys.argv[1:]))")
    monkeypatch.setattr("companion.core.power.TIMEOUT_S", PATIENCE_S)
    ask_logind(action)
    assert (bus / "said").read_text() == (
        f"--system call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager {method} b false"
    )


@pytest.mark.parametrize(
    ("lines", "patience_s", "fault"),
    [
        (
            "sys.exit('Call failed: Interactive authentication required.')",
            PATIENCE_S,
            "^Interactive authentication required$",
        ),
        ("sys.exit(3)", PATIENCE_S, "^busctl: 3$"),
        ("import time; time.sleep(600)", 0.1, "^no answer$"),
    ],
)
def test_a_refusal_is_in_the_systems_words(
    bus: Path, monkeypatch: pytest.MonkeyPatch, lines: str, patience_s: float, fault: str
) -> None:
    monkeypatch.setattr("companion.core.power.TIMEOUT_S", patience_s)
    answers(bus, lines)
    with pytest.raises(PowerError, match=fault):
        ask_logind("off")


def test_a_machine_without_a_bus_is_told(bus: Path) -> None:
    with pytest.raises(PowerError, match=r"^busctl: No such file or directory$"):
        ask_logind("off")


def test_the_screen_goes_on_meanwhile() -> None:
    asked: list[PowerAction] = []
    power = Power(asked.append)
    power.begin("off")
    assert until(lambda: asked)
    power.tick()

    def refuse(action: PowerAction) -> None:
        raise PowerError(action)

    def refused() -> bool:
        try:
            power.tick()
        except PowerError:
            return True
        return False

    power = Power(refuse)
    power.begin("restart")
    assert until(refused)
    power.tick()


def test_elsewhere_the_app_is_left_instead() -> None:
    hand = Hand(App())
    hand.app.touch(Intent("more"))
    assert "Quit Gunbai" in {button.label for button in buttons(hand.screen.blocks)}
    hand.app.touch(Intent("power"))
    assert not isinstance(hand.app.scene, PowerScene)


def test_shut_down_from_home() -> None:
    hand = Hand(App())
    switch = appliance(hand)
    hand.press("More")
    assert "Quit Gunbai" not in {button.label for button in buttons(hand.screen.blocks)}
    hand.press("Switch off")
    assert "no game is lost" in hand.text()
    hand.press("Shut down")
    hand.app.touch(Intent("off"))
    hand.app.touch(Intent("back"))
    hand.app.tick(0.0)
    assert hand.screen.title == "Gunbai is shutting down"
    assert switch.asked == ["off"]


def test_a_refusal_is_told_and_may_be_tried_again() -> None:
    hand = Hand(App())
    switch = appliance(hand, "not allowed")
    hand.press("More", "Switch off", "Restart")
    hand.app.tick(0.0)
    assert hand.screen.banner.startswith("The system refused (not allowed).")
    switch.fault = ""
    hand.press("Restart")
    assert hand.screen.title == "Gunbai is restarting"
    assert switch.asked == ["restart", "restart"]
    assert hand.screen.banner == ""
