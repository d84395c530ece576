"""The checks of the desk: pins, card readers, table controller. Devices that a running app uses are left alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from companion.checks.check_result import CheckResult, State
from companion.core.language import _, plural
from companion.desk.in_use import plan_of
from companion.settings.layers import Settings
from hardware.desk import Desk, DeskPlan, open_desk
from hardware.device import Health
from hardware.errors import HardwareError, WiringError
from hardware.ports import PluggedPort, list_ports

LISTEN_S = 1.5  # a controller says hello at least once a second
POLL_S = 0.02


def listen_to(plan: DeskPlan, opener: Callable[[DeskPlan], Desk] = open_desk) -> tuple[Health, ...]:
    """Open the devices, listen for `LISTEN_S` seconds, close them again and return their health."""
    desk = opener(plan)
    try:
        until_s = time.monotonic() + LISTEN_S
        desk.poll(time.monotonic())
        while time.monotonic() < until_s:
            time.sleep(POLL_S)
            desk.poll(time.monotonic())
        return desk.health()
    finally:
        desk.close()


class DeskLooks:
    """The checks of the devices in the settings. open_now: their health from the app, if that runs in this process.

    busy: whether an app in another process has them open; listen: opens them and returns their health.
    """

    def __init__(
        self,
        settings: Settings,
        open_now: Callable[[], tuple[Health, ...]] | None = None,
        busy: Callable[[], bool] = lambda: False,
        listen: Callable[[DeskPlan], tuple[Health, ...]] = listen_to,
    ) -> None:
        self._settings, self._open_now, self._busy, self._listen = settings, open_now, busy, listen
        self._heard: tuple[Health, ...] | None = None
        self._fault = ""

    def pins(self) -> CheckResult:
        """Check that the machine has pins and the wiring in the settings is possible."""
        if not self._settings.desk_pins:
            return "ok", _("not used: switched off in the settings"), ""
        health = self._health()
        if self._fault:
            return "bad", self._fault, _("Choose other pins in the settings, under [pins].")
        if self._is_elsewhere(health):
            return "note", _("in use by a running Gunbai: left alone"), ""
        pins = next((device for device in health if device.kind == "pins"), None)
        if pins is None or pins.state != "present":
            why = pins.fault if pins is not None else _("no pins")
            return "bad", why, _("Check that python3-lgpio is installed and this user is in the group gpio.")
        if pins.ails:
            told = _("{address}; problem: {what}").format(address=pins.address, what=", ".join(pins.ails))
            return "note", told, _("A button that never releases is jammed or miswired: see docs/hardware.md.")
        return "ok", pins.address, ""

    def serial(self, ports: Callable[[], Iterable[PluggedPort]] = list_ports) -> CheckResult:
        """Check that each reader and the controller is connected, accessible and heard; name other plugged-in ports."""
        named = [*self._settings.readers, *filter(None, (self._settings.controller,))]
        others = [port for port in ports() if not any(port.path in spec for spec in named)]
        also = [_("also plugged in: {name}, {path}").format(name=port.name, path=port.path) for port in others]
        if not named:
            return "ok", "; ".join((_("no readers or controller set up"), *also)), ""
        health = self._health()
        if self._fault:
            return "bad", "; ".join((self._fault, *also)), _("Choose other pins in the settings, under [pins].")
        if self._is_elsewhere(health):
            return "note", "; ".join((_("in use by a running Gunbai: left alone"), *also)), ""
        looked = [_device(device) for device in health if device.kind != "pins"]
        order: tuple[State, ...] = ("bad", "note", "ok")
        worst = min(looked, key=lambda result: order.index(result[0]), default=("ok", "", ""))
        return worst[0], "; ".join((*(told for _state, told, _remedy in looked), *also)), worst[2]

    def _is_elsewhere(self, health: Sequence[Health]) -> bool:
        return self._open_now is None and not health and not self._fault

    def _health(self) -> tuple[Health, ...]:
        """Return the devices' health, asked for only once; () if another process has them, or for a fault."""
        if self._heard is None:
            self._heard = self._ask_devices()
        return self._heard

    def _ask_devices(self) -> tuple[Health, ...]:
        try:
            plan = plan_of(self._settings)
            if plan is None or (self._open_now is None and self._busy()):
                return ()
            return self._open_now() if self._open_now is not None else self._listen(plan)
        except (WiringError, HardwareError) as error:
            self._fault = str(error)
            return ()


def _device(device: Health) -> CheckResult:
    """Return the result for a reader or the controller, from its health."""
    if "in use by another program" in device.fault:
        return "note", device.fault, ""
    if device.state == "absent":
        told = _("{name}: not connected").format(name=device.name)
        return "bad", told, _("Plug it in, or remove it from the settings, under [desk].")
    if device.state == "refused":
        return "bad", device.fault or device.name, _("Add this user to the group dialout, then restart.")
    frames = device.counts.get("frames", 0)
    if device.kind == "controller" and not frames:
        told = _("{name}: connected, but sends nothing").format(name=device.name)
        return "note", told, _("Check that our sketch is on it as main.py and starts: docs/hardware.md.")
    heard = (
        plural("{n} message received", "{n} messages received", frames)
        if frames
        else _("connected, nothing received yet")
    )
    told = f"{device.name}: {heard}"
    if device.ails:
        told = _("{told}, problem: {what}").format(told=told, what=", ".join(device.ails))
        return (
            "note",
            told,
            _("Check its cable, and that it speaks our protocol: docs/hardware.md."),
        )
    return "ok", told, ""
