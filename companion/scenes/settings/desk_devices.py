"""The desk's devices and tags: what each device is used as, and which card each tag is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from companion.core.errors import TagsError
from companion.core.language import _, plural
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import StageScene
from companion.settings.layers import Settings
from companion.text.devices import device_name, device_state
from companion.text.faults import fault_words
from companion.text.orders import card_title
from companion.ui.screen import Block, Button, Buttons, Intent, Look, Screen, StatusRow, Text, Tone, back_button
from engine.orders.mode import Card
from hardware.events import CodeRead, Event

ROLES = ("", "reader", "reader/one", "reader/two", "controller")
"""What a device can be used as: nothing, a reader for both sides or for one, the controller."""


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


def device_role(settings: Settings, address: str) -> str:
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
    """The devices that are plugged in or named in the settings, a button for each."""

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
        role = role_name(device_role(self.stage.settings, device.address))
        return role if device.plugged else _("{role} · not plugged in").format(role=role)

    def touch(self, intent: Intent) -> Scene | None:
        """Open the roles of a device, look again, or go back."""
        if intent.verb == "device" and intent.n < len(self.devices):
            return RoleScene(self.stage, self.devices[intent.n], self)
        if intent.verb == "again":
            self.devices = self._known_devices()
        return super().touch(intent)


class RoleScene(StageScene):
    """The choice of what a device is used as."""

    def __init__(self, stage: Stage, device: Device, back: Scene) -> None:
        super().__init__(stage, back)
        self.device = device

    def show(self) -> Screen:
        """Offer the roles; choosing "controller" takes that role from any other device."""
        now = device_role(self.stage.settings, self.device.address)
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
        """Use the device in the touched role from now on, or go back."""
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


class TagsScene(StageScene):
    """The cards of the deck, each with its number of tags, and the card that a reader read last."""

    def __init__(self, stage: Stage, back: Scene) -> None:
        super().__init__(stage, back)
        self.read = ""
        self.fault = ""
        try:
            stage.desk.tags.of(stage.board.mode)
        except TagsError as error:
            self.fault = fault_words(error)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the deck."""
        return tuple(self.stage.board.mode.cards.values())

    def tag_codes(self, card: Card) -> tuple[str, ...]:
        """Return the codes that are bound to this card."""
        return self.stage.desk.tags.codes(self.stage.board.mode, card.name)

    def show(self) -> Screen:
        """Show a button for each card, below what was read last."""
        buttons = tuple(
            Button(
                card_title(self.stage.board, card.name),
                Intent("card", card.name),
                "chosen" if card.name == self._card_on_reader() else "plain",
                "tick" if len(self.tag_codes(card)) == card.copies else "plan",
                plural("{n} of {all} tagged", "{n} of {all} tagged", len(self.tag_codes(card)), all=card.copies),
            )
            for card in self.cards
        )
        return Screen(
            title=_("Card tags"),
            blocks=(self._message(), Buttons(buttons, 2)),
            actions=(back_button("primary"),),
            page=self.page,
        )

    def _card_on_reader(self) -> str | None:
        return self.stage.desk.tags.card(self.stage.board.mode, self.read) if self.read else None

    def _message(self) -> Block:
        """Return what was read last, or what to do."""
        if self.fault:
            return Text(self.fault, "bad")
        if not self.read:
            return Text(_("Put a card on the reader to see which one it is, or touch a card to tag it."))
        lying = self._card_on_reader()
        if lying is None:
            return Text(_("{code} isn't linked to a card yet. Touch its card.").format(code=self.read), "warn")
        title = card_title(self.stage.board, lying)
        return Text(_("{code} is {card}.").format(code=self.read, card=title), "good")

    def hear(self, event: Event) -> bool:
        """Take a code that was read, to show whose it is; return False for other events."""
        if not isinstance(event, CodeRead):
            return False
        self.read, self.fault = event.code, ""
        return True

    def touch(self, intent: Intent) -> Scene | None:
        """Open a card's tags, turn the page, or go back."""
        if intent.verb == "card":
            return TagScene(self, intent.what)
        return super().touch(intent)


class TagScene(StageScene):
    """The tags of one card: every new tag that is read while this is open becomes one of the card's copies."""

    back: TagsScene

    def __init__(self, deck: TagsScene, card: str) -> None:
        super().__init__(deck.stage, deck)
        self.mode = deck.stage.board.mode
        self.card = self.mode.cards[card]
        self.asked = ""  # the tag of another card that could be moved here
        self.message: tuple[str, Tone] = ("", "plain")

    def show(self) -> Screen:
        """Show the card's tags, each with a way to remove it, and what comes next."""
        bound = self.back.tag_codes(self.card)
        left = self.card.copies - len(bound)
        buttons = tuple(Button(code, Intent("unbind", code), "quiet", "cross", _("remove")) for code in bound)
        blocks: list[Block] = [Text(self._prompt(left), "strong")]
        blocks += [Text(*self.message)] if self.message[0] else []
        if self.asked:
            other = self.stage.desk.tags.card(self.mode, self.asked)
            move = _("Move it here from {card}").format(card=self.mode.cards[other].heading if other else "")
            blocks.append(Buttons((Button(move, Intent("move")),), 1))
        blocks += [Buttons(buttons, 2)] if buttons else []
        following = Button(_("Next card"), Intent("next"), "plain" if left else "primary")
        actions = (back_button(), following)
        return Screen(title=card_title(self.stage.board, self.card.name), blocks=tuple(blocks), actions=actions)

    def _prompt(self, left: int) -> str:
        if not left:
            return _("Every copy is tagged.")
        return plural(
            "Put a copy's tag on the reader: {n} of {all} still needs one.",
            "Put a copy's tag on the reader: {n} of {all} still need one.",
            left,
            all=self.card.copies,
        )

    def hear(self, event: Event) -> bool:
        """Bind a tag that was read to this card, asking first if it is another's; return False for other events."""
        if not isinstance(event, CodeRead):
            return False
        known = self.stage.desk.tags.card(self.mode, event.code)
        self.asked = ""
        if known == self.card.name:
            self.message = _("{code} is already this card.").format(code=event.code), "plain"
        elif known is not None:
            self.asked = event.code
            form = _("{code} is currently {card}.")
            self.message = form.format(code=event.code, card=self.mode.cards[known].heading), "warn"
        else:
            self._bind(event.code)
        return True

    def _bind(self, code: str) -> None:
        try:
            self.stage.desk.tags.bind(self.mode, code, self.card.name)
        except TagsError as error:
            self.message = fault_words(error), "bad"
        else:
            self.message = _("{code} is {card} now.").format(code=code, card=self.card.heading), "good"

    def touch(self, intent: Intent) -> Scene | None:
        """Remove a tag, move one here from another card, go on to the next card, or go back."""
        if intent.verb == "unbind":
            self.stage.desk.tags.unbind(self.mode, intent.what)
            self.message, self.asked = ("", "plain"), ""
        elif intent.verb == "move" and self.asked:
            code, self.asked = self.asked, ""
            self._bind(code)
        elif intent.verb == "next":
            return self._next_card()
        return super().touch(intent)

    def _next_card(self) -> Scene:
        """Open the next card that lacks a tag, starting after this one; the deck if none does."""
        cards = self.back.cards
        here = cards.index(self.card)
        lacking = [card for card in (*cards[here + 1 :], *cards[:here]) if len(self.back.tag_codes(card)) < card.copies]
        return TagScene(self.back, lacking[0].name) if lacking else self.back
