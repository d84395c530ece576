"""The rules of General Orders as three questions: may I (judge), do it (apply), what now (owed, legal)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from engine.areas import members
from engine.errors import BadPosition
from engine.orders import cards
from engine.orders.actions import VERBS
from engine.orders.actions.fire import dice
from engine.orders.actions.move import sources
from engine.orders.actions.muster import heavy_limits
from engine.orders.board import Board, Space, load_board
from engine.orders.bonuses import bonus_commanders
from engine.orders.conflict import close_window, returnable_spaces
from engine.orders.draft import Draft, Event
from engine.orders.position import Option, Outlook, Position, Stage, outlook_of
from engine.orders.score import is_over
from engine.orders.steps import Pass, Step
from engine.orders.turn import ROLLS, can_pass, judge_step, may_deploy, owed_words, perform_step, ready
from engine.rulebook import switched_readings
from engine.system import Judge
from engine.words import say, side


def new_game(board_name: str, initiative: str, bonuses: Mapping[str, str], readings: Iterable[str] = ()) -> Position:
    """Return the printed starting position with the tokens and initiative that the table reports (Setup).

    `readings` names those switched to their other answer. Raises UnknownBoard, BadPosition.
    """
    board = load_board(board_name)
    mode = board.mode
    if initiative not in mode.factions:
        raise BadPosition(f"initiative: {initiative!r} is no faction; there are {', '.join(mode.factions)}")
    rows = [[[0] * len(board.areas) for _ in mode.units] for _ in mode.factions]
    for area in board.areas:
        for faction, unit, n in area.start:
            rows[mode.faction_index[faction]][mode.unit_index[unit]][area.index] = n
    first = mode.faction_index[initiative]
    bare = Position(
        board=board,
        round=1,
        initiative=first,
        to_move=first,
        bonuses=tokens_by_slot(board, bonuses),
        units=tuple(tuple(map(tuple, side)) for side in rows),
        commanders=(0, 0),
        commanders_left=(0, 0),
        standby=(0, 0),
        hands=((), ()),
        readings=switched_readings(mode.readings, readings),
    )
    # area bonuses bring commanders from standby as the game begins
    ours, theirs = (max(0, mode.standby - n) for n in bonus_commanders(bare))
    return replace(bare, standby=(ours, theirs), commanders_left=(mode.commanders - ours, mode.commanders - theirs))


def tokens_by_slot(board: Board, bonuses: Mapping[str, str]) -> tuple[str, ...]:
    """Return the bonus tokens in the order of the board's slots; raise BadPosition for a bad slot or token."""
    for slot, bonus in bonuses.items():
        if slot not in board.slots:
            raise BadPosition(f"bonuses.{slot}: no such slot; there are {', '.join(board.slots)}")
        if bonus not in board.mode.tokens:
            raise BadPosition(f"bonuses.{slot}: {bonus!r} is no bonus token of this mode")
    if len(set(bonuses.values())) < len(bonuses):
        raise BadPosition("bonuses: a token lies in two slots")
    return tuple(bonuses.get(slot, "") for slot in board.slots)


# --- judging and applying ---------------------------------------------------------------


def carry_out(position: Position, step: Step) -> Draft:
    """Carry out a step that is known to be legal, without judging it, and return the draft after it."""
    draft = Draft(ready(position, step))
    perform_step(draft, step)
    return draft


_JUDGE: Judge[Position, Step] = Judge(
    lambda position: position.board.mode.rules,
    lambda hearing, position, step: judge_step(hearing, ready(position, step), step),
    lambda position, step: carry_out(position, step).freeze(),
)
judge, examine, apply, fold, replay = _JUDGE.judge, _JUDGE.examine, _JUDGE.apply, _JUDGE.fold, _JUDGE.replay


def play(position: Position, step: Step) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after a step, and what happened on the way; raise Illegal if it is not legal."""
    _JUDGE.require_legal(position, step)
    draft = carry_out(position, step)
    return draft.freeze(), tuple(draft.events)


def play_recorded(position: Position, step: Step) -> tuple[Position, tuple[Event, ...]]:
    """Play a step of an old record as `play` does, even if today's rules don't allow it.

    Raises Illegal if it breaks a rule without which it can't be carried out.
    """
    _JUDGE.require_kept(position, step)
    draft = carry_out(position, step)
    return draft.freeze(), tuple(draft.events)


# --- what may be done and what is owed --------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offer:
    """What deploying to a space offers now, by name; only the fields that its action needs are filled."""

    action: str
    sources: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    amount: int = 0
    draw: int = 0
    dice: int = 0
    verb: str = ""
    payload: int = 0
    """The most units that may be spent for dice, one each."""
    most: Mapping[str, int] = field(default_factory=dict)
    """{unit: the most}, for kinds of units of which a placement takes fewer than its amount."""


@dataclass(frozen=True, slots=True)
class Legal:
    """What the player whose turn it is may do without any card."""

    may_pass: bool
    spaces: Mapping[str, Offer]


def options(position: Position) -> list[Option]:
    """List what each space that may be deployed to without a card offers.

    Nothing is listed inside a turn or after the end of the game.
    """
    me = position.to_move
    if position.turn is not None or not may_deploy(position) or is_over(position):
        return []
    outlook = outlook_of(position, me)
    mine, taken = position.commanders[me], position.commanders[0] | position.commanders[1]
    found = []
    for bit, twins, space, option_of in _spaces(position.board, me):
        if not taken & bit and not twins & mine:
            option = option_of(outlook, space)
            if option is not None:
                found.append(option)
    return found


@cache
def _spaces(board: Board, faction: int) -> list[tuple[int, int, Space, Callable[[Outlook, Space], Option | None]]]:
    """List each space that a faction may use, as a set of its own, with its support twins and its verb's offer."""
    own = (space for space in board.spaces if space.faction in (None, board.factions[faction]))
    return [(1 << s.index, board.twins[s.index], s, VERBS[s.action.verb].option) for s in own]


def legal(position: Position) -> Legal:
    """Return what the player whose turn it is may do now, by name.

    Inside a turn that only cards hold open, these are the next turn's choices.
    """
    here = ready(position, Pass())
    outlook = outlook_of(here, here.to_move)
    may_pass = here.turn is None and can_pass(here) and not is_over(here)
    return Legal(may_pass, {option.space.name: _offer(outlook, option) for option in options(here)})


def _offer(outlook: Outlook, option: Option) -> Offer:
    action, verb = option.space.action, option.space.action.verb
    areas = outlook.board.names(members(option.areas))
    if verb == "move":
        return Offer(action.name, sources=sources(outlook, option), verb=verb)
    if verb == "shoot":
        return Offer(action.name, targets=areas, dice=dice(outlook, option.space), verb=verb, payload=option.amount)
    if verb == "drop":
        return Offer(action.name, targets=areas, amount=option.amount, verb=verb)
    if verb == "place":
        return Offer(
            action.name, areas=areas, amount=option.amount, verb=verb, most=heavy_limits(outlook, option.space)
        )
    return Offer(action.name, draw=option.amount, verb=verb)


@dataclass(frozen=True, slots=True)
class Owed:
    """What the table owes inside a turn: the prompt, and what may be played now.

    `wants` is "roll" (`dice` of them), "remove" (`units` from `area`), "return" (a commander from one of `spaces`) or
    "accept" (only a window for cards is open). `loose`: after a card that the players resolve themselves a roll may
    have another number of dice.
    """

    wants: str
    by: str
    area: str | None = None
    dice: int = 0
    units: int = 0
    cards: tuple[tuple[str, str], ...] = ()
    may_reroll: bool = False
    text: str = ""
    spaces: tuple[str, ...] = ()
    loose: bool = False


def owed(position: Position) -> Owed | None:
    """Return what is owed now; None if a new turn is to begin or the game is over."""
    turn = position.turn
    if turn is None or is_over(position):
        return None
    board = position.board
    now = cards.playable_cards(position) + cards.announceable_cards(position)
    names = tuple((board.factions[faction], card.name) for faction, card in now)
    area = board.areas[turn.area].name if turn.area >= 0 else None
    if turn.stage is Stage.JOIN and turn.contested:
        return _defence_ahead(position, names)
    if turn.stage in ROLLS:
        by = board.factions[cards.roller(position)]
        text, loose = owed_words(position, turn), cards.has_loose_dice(position)
        return Owed("roll", by, area, turn.dice, cards=names, text=text, loose=loose)
    if turn.stage is Stage.LOSSES:
        loss = turn.losses[0]  # every one of them is a choice; those without were taken at once
        where, by = board.areas[loss.area].name, board.factions[loss.faction]
        text = say("{who} removes {n} from {area}", who=side(by), n=loss.units, area=where)
        return Owed("remove", by, where, units=loss.units, cards=names, text=text)
    if turn.stage is Stage.RETURN:
        faction = turn.returns[0]
        open_to = returnable_spaces(position.commanders[faction], position.commanders_left[faction])
        spaces = tuple(board.spaces[index].name for index in members(open_to))
        return Owed("return", board.factions[faction], cards=names, text=owed_words(position, turn), spaces=spaces)
    by = board.factions[cards.roller(position) if turn.stage is Stage.ROLLED else position.to_move]
    again = turn.stage is Stage.ROLLED
    return Owed("accept", by, area, cards=names, may_reroll=again, text=say("{who} may play a card", who=side(by)))


def _defence_ahead(position: Position, names: tuple[tuple[str, str], ...]) -> Owed:
    """Return the roll that is owed once units are in and a conflict waits, with the cards of both sides."""
    draft = Draft(position)
    close_window(draft)
    ahead = owed(draft.freeze())
    assert ahead is not None
    later = tuple(card for card in ahead.cards if card not in names)
    return replace(ahead, cards=names + later)
