"""The serial devices of the desk: which are plugged in, what each is used as, and whether it works."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from companion.core.language import _
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import StageScene
from companion.settings.layers import Settings
from companion.text.devices import device_name, device_state
from companion.ui.screen import Block, Button, Buttons, Intent, Look, Screen, StatusRow, Text, back_button

ROLES = ("", "reader", "reader/one", "reader/two", "controller")
"""What a device may be: nothing, a reader for both sides or for one, the controller."""


def role_name(role: str) -> str:
    """Return a role in words."""
    named = {
        "": _("not used"),
        "reader": _("card reader for both"),
        "reader/one": _("card reader, side one"),
        "reader/two": _("card reader, side two"),
        "controller": _("table controller"),
    }
    return named[role]


def role_of(settings: Settings, address: str) -> str:
    """Return the role that a device is used in; "" for none."""
    if settings.controller == address:
        return "controller"
    if address not in settings.readers:
        return ""
    return "/".join(filter(None, ("reader", settings.reader_sides.get(address, ""))))


@dataclass(frozen=True, slots=True)
class Device:
    """A device: its address in the settings, its name for people, and whether it is plugged in."""

    address: str
    name: str
    plugged: bool


class DevicesScene(StageScene):
    """What is plugged in and what the settings name, a button each."""

    def __init__(self, stage: Stage, back: Scene) -> None:
        super().__init__(stage, back)
        self.devices = self._known_devices()

    def _known_devices(self) -> tuple[Device, ...]:
        plugged = self.stage.desk.devices.plugged_names()
        now = self.stage.settings
        named = dict.fromkeys((*now.readers, *((now.controller,) if now.controller else ())))
        missing = (Device(address, PurePath(address).name, False) for address in named if address not in plugged)
        return (*(Device(address, name, True) for address, name in plugged.items()), *missing)

    def show(self) -> Screen:
        """Show the devices, then the health of those in use."""
        buttons = tuple(
            Button(device.name, Intent("device", "", n), note=self._note(device))
            for n, device in enumerate(self.devices)
        )
        nothing = Text(_("No serial device is plugged in. Plug one in and look again; no restart needed."))
        blocks: list[Block] = [Buttons(buttons, 1)] if buttons else [nothing]
        for device in self.stage.desk.devices.health():
            state, words = device_state(device)
            blocks.append(StatusRow(state, device_name(device.name), words))
        actions = (Button(_("Look again"), Intent("again"), "quiet"), back_button("primary"))
        return Screen(title=_("Devices"), blocks=tuple(blocks), actions=actions, page=self.page)

    def _note(self, device: Device) -> str:
        role = role_name(role_of(self.stage.settings, device.address))
        return role if device.plugged else _("{role} · not plugged in").format(role=role)

    def touch(self, intent: Intent) -> Scene | None:
        """Open the roles of a device, look again, or go back."""
        if intent.verb == "device" and intent.n < len(self.devices):
            return RoleScene(self.stage, self.devices[intent.n], self)
        if intent.verb == "again":
            self.devices = self._known_devices()
        return super().touch(intent)


class RoleScene(StageScene):
    """What one device is used as."""

    def __init__(self, stage: Stage, device: Device, back: Scene) -> None:
        super().__init__(stage, back)
        self.device = device

    def show(self) -> Screen:
        """Offer the roles; choosing "controller" takes that role from any other device."""
        now = role_of(self.stage.settings, self.device.address)
        looks: dict[str, Look] = {now: "chosen"}
        buttons = (Button(role_name(role), Intent("role", role), looks.get(role, "plain")) for role in ROLES)
        return Screen(
            title=self.device.name,
            blocks=(
                Text(self.device.address, "quiet"),
                Text(_("What is it used for?"), "strong"),
                Buttons(tuple(buttons), 2),
            ),
            actions=(back_button("primary"),),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Use the device in the touched role from now on."""
        if intent.verb == "role" and intent.what in ROLES:
            self._use_as(intent.what)
        return super().touch(intent)

    def _use_as(self, role: str) -> None:
        now, address = self.stage.settings, self.device.address
        kind, _slash, side = role.partition("/")
        readers = tuple(reader for reader in now.readers if reader != address)
        controller = "" if now.controller == address else now.controller
        self.stage.change(
            readers=(*readers, address) if kind == "reader" else readers,
            reader_sides={**now.reader_sides, address: side},
            controller=address if kind == "controller" else controller,
        )
