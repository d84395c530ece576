"""The rules behind a step of General Orders: criteria in words and on the map, and the scene of a step."""

from __future__ import annotations

import re
from dataclasses import replace

from companion.core.language import _
from companion.evidence.pictures import kept_pictures
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.reasons import PLAIN, bare_message
from companion.scenes.base.rules import EntryScene
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.disputes.ruling import step_ruling
from companion.scenes.story.game_log import line_numbers
from companion.scenes.story.presenter import RulesQuestion
from companion.scenes.story.tables import OrdersTable
from companion.text.orders import card_count, card_title, faction_name, sentence, space_title
from companion.ui.screen import Block, Button, Intent, MapPicture, Photo, Screen, Slip, SupplyChain, Text, back_button
from engine.orders import game
from engine.orders.board import Board
from engine.orders.draft import Event, event_text
from engine.orders.position import Position
from engine.orders.steps import Deploy, Step
from engine.orders.supply import chains
from engine.rulebook import load_book
from engine.ruling import Finding

BY_CHAIN = ("supply", "area", "range", "chain", "reach")  # what a chain to the headquarters decides

_AREA = re.compile(r"\b[a-z]\d\b")
_SPACE = re.compile(r"\b[a-z_]+:[a-z0-9-]+\b")

OrdersQuestion = RulesQuestion[Position, Step]


def criterion_words(finding: Finding, question: OrdersQuestion) -> str:
    """Return a criterion of a ruling as a sentence, with spaces and cards by their printed names."""
    board = question.position.board
    if finding.rule == "card.held" and finding.holds and (unsure := _hidden(question)):
        return unsure
    text = bare_message(finding)
    text = _SPACE.sub(lambda found: _space(board, found[0]), text)
    for card in board.mode.cards:
        text = re.sub(rf"\b{card}\b", card_title(board, card), text)
    return sentence(text if _AREA.match(text) or _SPACE.match(text) else text[:1].upper() + text[1:])


def _space(board: Board, name: str) -> str:
    return f"“{space_title(board.space(name))}”" if name in board.space_index else name


def _hidden(question: OrdersQuestion) -> str:
    """Return a note that a hidden hand may hold the card; "" if the hand is open."""
    faction = asker(question)
    hand = question.position.hand(faction) if faction in question.position.board.factions else ()
    if not isinstance(hand, int):
        return ""
    return _("{who} has {cards} hidden; this may be one of them.").format(
        who=faction_name(faction), cards=card_count(hand)
    )


def asker(question: OrdersQuestion) -> str:
    """Return the faction whose step the question is about."""
    by = getattr(question.step, "by", None)
    return by if isinstance(by, str) else question.position.to_move_name


def named_areas(board: Board, text: str) -> tuple[str, ...]:
    """Return the areas that a text names, in the order of the text."""
    return tuple(dict.fromkeys(name for name in _AREA.findall(text) if name in board.area_index))


def criterion_map(finding: Finding | None, question: OrdersQuestion) -> MapPicture:
    """Return the map for a criterion: its areas, the step's space, and the supply chain if that decides."""
    position = question.position
    areas = named_areas(position.board, finding.message) if finding else ()
    marks: dict[str, str] = dict.fromkeys(areas, "chosen")
    space = question.step.space if isinstance(question.step, Deploy) else ""
    linked = space.partition(":")[2]
    if linked in position.board.area_index:
        marks[linked] = "target"
    picture = map_picture(position, Marks(marks, {}, space or None), None)
    by_chain = finding is not None and is_by_chain(finding)
    drawn = (chain_of(position, asker(question), area) for area in areas if by_chain)
    return replace(picture, chains=tuple(chain for chain in drawn if chain is not None))


def is_by_chain(finding: Finding) -> bool:
    """Return whether a supply chain to the headquarters decides the criterion."""
    return finding.rule.partition(".")[2].endswith(BY_CHAIN) and finding.rule.partition(".")[0] not in PLAIN


def chain_of(position: Position, faction: str, area: str) -> SupplyChain | None:
    """Return the supply chain from an area, broken or not; None if the faction doesn't control the area."""
    way = chains(position)[faction].get(area)
    if way is None:
        return None
    whole = position.survey.supply[position.board.mode.faction_index[faction]]
    supplied = whole >> position.board.area_index[area] & 1
    return SupplyChain(faction, way, "" if supplied else way[-1])


PHOTO_PT = 150.0


# ---- the step, looked at --------------------------------------------------------------------------


class StepScene(BackScene):
    """One step: its sentence, the camera's photo, why it was allowed, and what followed by itself."""

    def __init__(self, table: OrdersTable, number: int, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.match = table.match
        self.numbers = [*line_numbers(table.game_log)][::-1]
        self.number = number
        self.pictures = kept_pictures(self.match)
        self.book = load_book(self.match.board.mode.rulebook)

    def show(self) -> Screen:
        """Show the step's sentence, question and photo, beside the board as it stood before."""
        step, before = self.match.steps[self.number - 1], self.match.positions[self.number - 1]
        line = self.table.game_log.recorded_line(self.number)
        why = Slip(_("Why was that allowed?"), "", "", Intent("why"))
        marks = Marks(dict.fromkeys(named_areas(before.board, line), "chosen"))
        return Screen(
            title=_("Step {n}").format(n=self.numbers.index(self.number) + 1),
            blocks=(Text(line, "strong"), *self._picture(), why, *self._consequences(step, before)),
            actions=(back_button("primary"), self._leaf(_("Earlier"), -1), self._leaf(_("Later"), 1)),
            page=self.page,
            map=map_picture(before, marks, None),
        )

    def _consequences(self, step: Step, before: Position) -> tuple[Block, ...]:
        """Return slips for what happened by itself, each with the rulebook's section on it."""
        slips = []
        for event in game.play_recorded(before, step)[1]:
            section = section_of(event, before)
            if section is not None:
                cite = str(self.book[section].citation)
                slips.append(Slip(sentence(event_text(before, event)), "", cite, Intent("section", section)))
        return tuple(dict.fromkeys(slips))

    def _picture(self) -> tuple[Block, ...]:
        """Return the photo that the camera kept of the turn, or a line saying that there is none."""
        found = next((picture for picture in self.pictures if picture.first <= self.number <= picture.name.step), None)
        if found is None:
            return (Text(_("Board before this step. No photo."), "quiet"),)
        caption = _("What the camera saw. Top: before. Bottom: after.")
        return (Photo(found.data, found.size_px, caption, PHOTO_PT),)

    def _next_number(self, by: int) -> int | None:
        """Return the number of the next step in that direction with something to say; None if there is none."""
        beyond = [number for number in self.numbers if (number - self.number) * by > 0]
        return min(beyond, key=lambda number: abs(number - self.number), default=None)

    def _leaf(self, label: str, by: int) -> Button:
        return Button(label, Intent("leaf", "", by), "plain" if self._next_number(by) else "off")

    def touch(self, intent: Intent) -> Scene | None:
        """Open the ruling or a section, show the step before or after, or go back."""
        if intent.verb == "leaf":
            self.number = self._next_number(intent.n) or self.number
        elif intent.verb == "section":
            return EntryScene(self.table.library(), f"section:{intent.what}", self)
        elif intent.verb == "why":
            return step_ruling(self.table, self.number, self)
        return super().touch(intent)


_SECTIONS = {
    "conflict": "conflicts",
    "lost": "conflicts",
    "surplus": "unit-restrictions",
    "bonus": "area-bonuses",
    "joined": "operation-cards",
    "recalled": "insufficient-units",
    "initiative": "plan",
    "round": "advance-the-round-marker",
    "won": "game-end",
    "out": "passing",
    "commander": "area-bonuses",
    "returned": "area-bonuses",
}
_BY_PLACE = {
    ("conflicts", "land"): "land-conflicts",
    ("conflicts", "air"): "air-conflicts",
    ("insufficient-units", "air"): "insufficient-aircraft",
}
"""The sections of a book that has one for each kind of area."""


def section_of(event: Event, before: Position) -> str | None:
    """Return the rulebook's section behind an event that happened by itself; None if the step said it anyway."""
    board, turn = before.board, before.turn
    action = board.spaces[turn.space].action if turn is not None else None
    if event.kind == "lost" and action is not None and action.verb == "shoot":
        return action.name
    section = _SECTIONS.get(event.kind)
    place = board.areas[event.area].kind if event.area >= 0 else ""
    closer = _BY_PLACE.get((section or "", place))
    return closer if closer in load_book(board.mode.rulebook) else section
