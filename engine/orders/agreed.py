"""What the players agree on: the record is corrected to what is on the table, whatever rule would lead there.

All that is judged is whether the box can hold it: units where their kind can be, no more pieces than there are. Besides
the map, commanders in hand, cards, the round, the initiative, dice and the end of the game can be agreed on.
"""

from __future__ import annotations

from itertools import chain

from engine.orders import cards, conflict
from engine.orders.cards import MOST_DICE
from engine.orders.draft import Draft
from engine.orders.position import Position, Stage, Turn
from engine.orders.score import AGREED
from engine.orders.steps import NO_OTHER_CORRECTIONS, Agreed, OtherCorrections
from engine.ruling import Hearing
from engine.words import say

ANSWERS = ("default", "other")
ROLLS = (Stage.DEFENCE, Stage.SHOT)
COPIES = "copies"
"""The topic of rules on how many copies of a card there are."""


def judge_agreed(hearing: Hearing, position: Position, step: Agreed) -> None:
    """Judge whether all that is named is known and the box can hold the agreed position."""
    readings = position.board.mode.readings
    for name, answer in step.readings:
        fits = name in readings and bool(readings[name].other) and answer in ANSWERS
        hearing.weigh("reading.known", fits, reading=name, answer=answer)
    known = _judge_other(hearing, position, step.other)
    if _judge_names(hearing, position, step) and known:
        draft = Draft(position)
        _put_pieces(draft, step)
        _judge_pieces(hearing, draft)
        _judge_cards(hearing, draft)


def perform_agreed(draft: Draft, step: Agreed) -> None:
    """Correct the record as agreed; this ends a turn in progress, and a round whose last commander is accounted for.

    If only readings are agreed on, all else stays as it is. If nothing on the map is, a turn in progress goes on, as it
    does if a card that the players resolve themselves was played in it. A finished game is scored anew, or goes on if
    it isn't over any more.
    """
    board = bool(step.areas or step.spaces or step.to_move is not None)
    rest = step.other != NO_OTHER_CORRECTIONS
    if step.readings:
        answers = dict(step.readings)
        others = {name for name, answer in answers.items() if answer == "other"}
        draft.readings = draft.readings - answers.keys() | others
        draft.tell("readings", draft.to_move)
        if not (board or rest):
            return
    finished, draft.winner, draft.reason = draft.winner is not None, None, None
    by_card = cards.has_loose_dice(draft) and not finished and step.to_move is None and not step.spaces
    _put_pieces(draft, step)
    if step.other.winner is not None:
        conflict.end_game(draft, draft.mode.faction_index[step.other.winner], AGREED)
    elif rest and not board and draft.turn is not None:
        draft.tell("put right", draft.to_move)
        conflict.carry_on(draft)
    elif by_card:
        draft.tell("put right", draft.to_move)
        conflict.resume(draft)
    else:
        _end_turn(draft, step)


def _end_turn(draft: Draft, step: Agreed) -> None:
    """End the turn, and the game too if a headquarters is empty."""
    mover = draft.to_move if step.to_move is None else draft.mode.faction_index[step.to_move]
    draft.tell("agreed", mover)
    if not conflict.end_if_headquarters_fell(draft):
        draft.to_move = 1 - mover
        conflict.end_turn(draft)


def _judge_names(hearing: Hearing, position: Position, step: Agreed) -> bool:
    """Judge whether all that is named is known, and units stand where they can."""
    board, mode = position.board, position.board.mode
    known = [hearing.weigh("area.known", area in board.area_index, area=area) for area, _ in step.areas]
    known += [hearing.weigh("space.known", space in board.space_index, space=space) for space, _ in step.spaces]
    factions = [faction for _, units in step.areas for faction, _, _ in units]
    factions += [faction for _, holders in step.spaces for faction in holders]
    factions += [] if step.to_move is None else [step.to_move]
    known += [
        hearing.weigh("faction.known", faction in mode.faction_index, who=faction)
        for faction in dict.fromkeys(factions)
    ]
    if not all(known):
        return False
    kinds = {(area, unit): None for area, units in step.areas for _, unit, _ in units}
    for area, unit in kinds:
        fits = mode.unit_index.get(unit) in mode.kinds_on[board.area(area).kind]
        known.append(hearing.weigh("agreed.kind", fits, area=area, unit=unit, n=1))
    return all(known)


def _put_pieces(draft: Draft, step: Agreed) -> None:
    """Put all that is agreed into the draft; commanders come from their reserve and go back to it."""
    for area, units in step.areas:
        at = draft.board.area_index[area]
        for row in chain(*draft.units):
            row[at] = 0
        for who, unit, n in units:
            draft.add(draft.mode.faction_index[who], draft.mode.unit_index[unit], at, n)
    for space, holders in step.spaces:
        bit = 1 << draft.board.space_index[space]
        for faction, who in enumerate(draft.board.factions):
            held, holds = bool(draft.commanders[faction] & bit), who in holders
            draft.commanders[faction] ^= bit if held != holds else 0
            draft.left[faction] += held - holds
    _put_other(draft, step.other)


def _judge_pieces(hearing: Hearing, draft: Draft) -> None:
    """Judge whether the box has enough units of each kind and commanders."""
    for faction, who in enumerate(draft.board.factions):
        for kind, unit in enumerate(draft.mode.units):
            n = sum(draft.units[faction][kind])
            hearing.weigh("agreed.box", n <= unit.reserve, who=who, unit=unit.name, n=n, most=unit.reserve)
        most, left = draft.mode.commanders, draft.left[faction]
        used = draft.commanders[faction].bit_count() + draft.standby[faction] + left
        needed = most - left if left < 0 else used
        hearing.weigh("agreed.commanders", needed <= most, who=who, n=needed, most=most)


# --- what is not on the map -------------------------------------------------------------


def _judge_other(hearing: Hearing, position: Position, other: OtherCorrections) -> bool:
    """Judge whether the factions, cards, tokens, slots and round named are known, and whether dice are owed."""
    mode = position.board.mode
    factions = [faction for faction, _ in (*other.standby, *other.left, *other.hands)]
    factions += [faction for faction in (other.initiative, other.winner) if faction is not None]
    factions += other.passed or ()
    known = [
        hearing.weigh("faction.known", faction in mode.faction_index, who=faction)
        for faction in dict.fromkeys(factions)
    ]
    named = [card for _, hand in other.hands if not isinstance(hand, int) for card in hand]
    named += other.discard or ()
    known += [
        hearing.weigh("card.known", card in mode.cards, card=mode.card_title(card)) for card in dict.fromkeys(named)
    ]
    for slot, token in other.bonuses:
        fits = slot in position.board.slots and (not token or token in mode.tokens)
        named_as = mode.token_title(token) if token else say("no token")
        known.append(hearing.weigh("agreed.token", fits, slot=slot, token=named_as))
    if other.passed is not None and not mode.final_pass:
        known.append(hearing.weigh("agreed.passed", not other.passed, who=", ".join(other.passed)))
    if other.round is not None:
        fits = 1 <= other.round <= mode.rounds
        known.append(hearing.weigh("agreed.round", fits, round=other.round, most=mode.rounds))
    if other.dice is not None:
        fits = _is_roll_ahead(position.turn) and 1 <= other.dice <= MOST_DICE
        known.append(hearing.weigh("agreed.dice", fits, n=other.dice, unit="die"))
    return all(known)


def _is_roll_ahead(turn: Turn | None) -> bool:
    """Return whether a roll is owed, if only after a window for cards is passed by."""
    return turn is not None and (turn.stage in ROLLS or (turn.stage is Stage.JOIN and bool(turn.contested)))


def _put_other(draft: Draft, other: OtherCorrections) -> None:
    """Put the rest that is agreed into the draft; standby commanders come from their reserve and go back to it."""
    index = draft.mode.faction_index
    for faction, n in other.standby:
        draft.left[index[faction]] += draft.standby[index[faction]] - n
        draft.standby[index[faction]] = n
    for faction, n in other.left:
        draft.left[index[faction]] = n
    for faction, hand in other.hands:
        draft.hands[index[faction]] = hand if isinstance(hand, int) else tuple(sorted(hand))
    draft.discard = draft.discard if other.discard is None else other.discard
    draft.initiative = draft.initiative if other.initiative is None else index[other.initiative]
    draft.round = draft.round if other.round is None else other.round
    if other.passed is not None:
        draft.passed = [faction in other.passed for faction in draft.board.factions]
    tokens = dict(zip(draft.board.slots, draft.bonuses, strict=True)) | dict(other.bonuses)
    draft.bonuses = tuple(tokens.values())
    if other.dice is not None and draft.turn is not None:
        if draft.turn.stage is Stage.JOIN:
            conflict.close_window(draft)
        draft.turn = draft.turn._replace(dice=other.dice)


def _judge_cards(hearing: Hearing, draft: Draft) -> None:
    """Judge whether the box has enough cards of each kind, and each token lies on one slot only."""
    deck = draft.mode.deck
    named = [card for hand in draft.hands if not isinstance(hand, int) for card in hand] + list(draft.discard)
    hidden = sum(hand for hand in draft.hands if isinstance(hand, int))
    counts = {card: named.count(card) for card in named}
    for card, n in counts.items():
        hearing.weigh(
            "agreed.cards", n <= deck[card], topic=COPIES, what=draft.mode.card_title(card), n=n, most=deck[card]
        )
    whole, out = sum(deck.values()), len(named) + hidden
    hearing.weigh("agreed.cards", out <= whole, what="all cards", n=out, most=whole)
    lying = [token for token in draft.bonuses if token]
    for token in dict.fromkeys(lying):
        hearing.weigh("agreed.token-twice", lying.count(token) == 1, token=draft.mode.token_title(token))
