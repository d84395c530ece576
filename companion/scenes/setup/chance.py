"""The round marker and the bonus tokens: what the table flipped and drew is touched, or the app does it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.errors import MatchError
from companion.core.language import _
from companion.scenes.base.map_picture import start_picture
from companion.scenes.base.stage import Scene
from companion.scenes.setup.layout import LayoutScene
from companion.scenes.setup.state import BY_APP, SetUp, SetupPage
from companion.text.faults import fault_words
from companion.text.orders import bonus_title, faction_name, join_words, slot_name, slot_place
from companion.ui.screen import Button, Buttons, Intent, Look, MapPicture, Screen, Text, Tone, back_button
from engine.errors import EngineError
from engine.orders.board import Board


class ChanceScene:
    """Two questions beside the map. A touched token goes to the slot that is marked, and the next slot is marked."""

    table = None  # no game is on the table yet, or none any more

    def __init__(self, setup: SetUp, before: SetupPage) -> None:
        self.setup = setup
        self.before = before
        self.home = before.home
        self.slot = setup.board.slots[0]
        self.banner = ""

    def show(self) -> Screen:
        """Ask who begins, and which token lies where."""
        ready = not self._missing()
        areas = {area.slot: area.name for area in self.setup.board.areas if area.slot}
        marks = {area: "chosen" if slot == self.slot else "live" for slot, area in areas.items()}
        return Screen(
            blocks=(
                Text(_("Flip the round marker: who goes first?"), "strong"),
                Buttons(self._initiative(), 3),
                Text(slot_place(self.slot, areas[self.slot]), "strong"),
                Buttons(self._tokens(), 3),
                *self._left_out(),
                Text(*self._state()),
            ),
            actions=(back_button(), Button(_("Next"), Intent("next"), "primary" if ready else "off")),
            banner=self.banner or self.setup.seen,
            banner_tone="warn" if self.banner else "good",
            map=picture(self.setup.board, self.setup.tokens, marks),
        )

    def tick(self, now_s: float) -> Scene | None:
        """Look at the empty board by the way; this scene where there is something new to say."""
        return self if self.setup.look(now_s) else None

    def _initiative(self) -> tuple[Button, ...]:
        """Return a button for each side that may begin, and one that lets the app flip the marker."""
        sides = []
        for faction in self.setup.board.factions:
            player, name = self.setup.players[faction], faction_name(faction)
            look: Look = "chosen" if faction == self.setup.initiative else "plain"
            sides.append(Button(player or name, Intent("initiative", faction), look, note=name if player else ""))
        return (*sides, Button(_("Flip for me"), Intent("flip"), "off" if self.setup.initiative else "quiet"))

    def _tokens(self) -> tuple[Button, ...]:
        """Return a button for each token, the one on this slot chosen, those elsewhere with their place."""
        board, buttons = self.setup.board, []
        areas = {area.slot: area.name for area in board.areas if area.slot}
        places = {token: f"{slot_name(slot)} · {areas[slot]}" for slot, token in self.setup.tokens.items()}
        here = self.setup.tokens.get(self.slot)
        for token in board.mode.tokens:
            look: Look = "chosen" if token == here else "plain"
            note = "" if token == here else places.get(token, "")
            buttons.append(Button(bonus_title(board, token), Intent("token", token), look, token, note))
        draw: Look = "quiet" if self.setup.empty_slots else "off"
        return (*buttons, Button(_("Draw at random"), Intent("draw"), draw))

    def _left_out(self) -> tuple[Text, ...]:
        """Say that one token stays in the box, and which ones are certainly in; nothing if all are used."""
        board = self.setup.board
        if not board.mode.one_stays_out:
            return ()
        always = [bonus_title(board, token) for token in board.mode.tokens if token not in board.mode.one_stays_out]
        form = _("{tokens} is in; one of the others stays in the box.")
        return (Text(form.format(tokens=join_words(always)), "quiet"),)

    def _missing(self) -> list[str]:
        begins = [] if self.setup.initiative else [_("initiative")]
        return [*begins, *map(slot_name, self.setup.empty_slots)]

    def _state(self) -> tuple[str, Tone]:
        """Say what is still to be chosen, or else who begins; with the tone of the sentence."""
        missing = self._missing()
        if missing:
            return _("Still to choose: {what}").format(what=", ".join(missing)), "quiet"
        who = self.setup.players[self.setup.initiative] or faction_name(self.setup.initiative)
        if self.setup.chance["initiative"] == BY_APP:
            return _("Gunbai flipped the marker: {who} goes first.").format(who=who), "good"
        return _("{who} goes first.").format(who=who), "good"

    def touch(self, intent: Intent) -> Scene | None:
        """Say one thing, let the app do one, or go on."""
        self.banner = ""
        match intent.verb:
            case "initiative":
                self.setup.begins(intent.what)
            case "flip" if not self.setup.initiative:
                self.setup.flip()
            case "draw":
                self.setup.draw()
            case "token":
                self.setup.put(self.slot, intent.what)
                self.slot = next(iter(self.setup.empty_slots), self.slot)
            case "area":
                self.slot = self.setup.board.area(intent.what).slot or self.slot
            case "next":
                return self._next()
        return self.before if intent.verb == "back" else None

    def _next(self) -> Scene | None:
        missing = self._missing()
        if missing:
            self.banner = _("Still to choose: {what}").format(what=", ".join(missing))
            return None
        try:
            return LayoutScene(self.setup.stage, self.setup.start(), self)
        except (EngineError, MatchError) as error:
            self.banner = fault_words(error)
            return None


def picture(board: Board, tokens: Mapping[str, str], marks: Mapping[str, str]) -> MapPicture:
    """Return the map of the printed start with the tokens on their slots.

    tokens: by slot; marks: by area, as the map highlights it.
    """
    start = start_picture(board)
    areas = tuple(
        replace(area, bonus=tokens.get(board.area(area.name).slot or ""), mark=marks.get(area.name, ""))
        for area in start.areas
    )
    return replace(start, areas=areas)
