"""Why a ruling is as it is: its criteria in order, in the players' words, and what each is about on the map."""

from __future__ import annotations

import re
from dataclasses import replace

from companion.core.language import _
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.reasons import PLAIN, bare_message
from companion.scenes.story.presenter import RulesQuestion
from companion.text.orders import card_count, card_title, faction_name, sentence, space_title
from companion.ui.screen import MapPicture, SupplyChain
from engine.orders.board import Board
from engine.orders.position import Position
from engine.orders.steps import Deploy, Step
from engine.orders.supply import chains
from engine.ruling import Finding

BY_CHAIN = ("supply", "area", "range", "chain", "reach")  # what a chain to the headquarters decides

_AREA = re.compile(r"\b[a-z]\d\b")
_SPACE = re.compile(r"\b[a-z_]+:[a-z0-9-]+\b")

OrdersQuestion = RulesQuestion[Position, Step]


def criterion_words(finding: Finding, question: OrdersQuestion) -> str:
    """Return a criterion as a sentence, with spaces and cards by their printed names."""
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


def about(finding: Finding | None, question: OrdersQuestion) -> MapPicture:
    """Return the map marked with a criterion's areas, and with the supply chain it rests on as far as that goes."""
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
    """Return the supply chain from an area that the faction controls; None for any other area."""
    way = chains(position)[faction].get(area)
    if way is None:
        return None
    whole = position.survey.supply[position.board.mode.faction_index[faction]]
    supplied = whole >> position.board.area_index[area] & 1
    return SupplyChain(faction, way, "" if supplied else way[-1])
