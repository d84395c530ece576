"""What the players agree on besides the board: commanders in hand, cards, the round, the initiative, dice, the end."""

from __future__ import annotations

from collections.abc import Iterable

from engine.orders import conflict
from engine.orders.cards import MOST_DICE
from engine.orders.draft import Draft
from engine.orders.ending import AGREED
from engine.orders.position import Position, Stage, Turn
from engine.orders.steps import Besides
from engine.ruling import Hearing

ROLLS = (Stage.DEFENCE, Stage.SHOT)
COPIES = "copies"
"""The topic of how many copies of one card there are."""


def judge_besides(hearing: Hearing, position: Position, besides: Besides) -> bool:
    """Whether all that is named is known: factions, cards, tokens, slots, the round; and dice are owed."""
    mode = position.board.mode
    factions = [faction for faction, _ in (*besides.standby, *besides.left, *besides.hands)]
    factions += [one for one in (besides.initiative, besides.winner) if one is not None]
    factions += besides.passed or ()
    known = [hearing.weigh("faction.known", one in mode.faction_index, who=one) for one in dict.fromkeys(factions)]
    known += [hearing.weigh("card.known", card in mode.cards, card=card) for card in dict.fromkeys(_named(besides))]
    known += [_token(hearing, position, *pair) for pair in besides.bonuses]
    if besides.passed is not None and not mode.final_pass:
        known.append(hearing.weigh("agreed.passed", not besides.passed, who=", ".join(besides.passed)))
    if besides.round is not None:
        fits = 1 <= besides.round <= mode.rounds
        known.append(hearing.weigh("agreed.round", fits, round=besides.round, most=mode.rounds))
    if besides.dice is not None:
        fits = roll_ahead(position.turn) and 1 <= besides.dice <= MOST_DICE
        known.append(hearing.weigh("agreed.dice", fits, n=besides.dice, unit="die"))
    return all(known)


def roll_ahead(turn: Turn | None) -> bool:
    """Whether a roll is owed, if only when a window for cards is passed by."""
    return turn is not None and (turn.stage in ROLLS or (turn.stage is Stage.JOIN and bool(turn.contested)))


def _named(besides: Besides) -> Iterable[str]:
    """The cards that are named, in hands and in the discard pile."""
    for _, hand in besides.hands:
        yield from () if isinstance(hand, int) else hand
    yield from besides.discard or ()


def _token(hearing: Hearing, position: Position, slot: str, token: str) -> bool:
    known = slot in position.board.slots and (not token or token in position.board.mode.tokens)
    return hearing.weigh("agreed.token", known, slot=slot, token=token or "no token")


def put_besides(draft: Draft, besides: Besides) -> None:
    """Put it right in the draft; commanders on standby come from their reserve and go back to it."""
    index = draft.mode.faction_index
    for faction, n in besides.standby:
        draft.left[index[faction]] += draft.standby[index[faction]] - n
        draft.standby[index[faction]] = n
    for faction, n in besides.left:
        draft.left[index[faction]] = n
    for faction, hand in besides.hands:
        draft.hands[index[faction]] = hand if isinstance(hand, int) else tuple(sorted(hand))
    draft.discard = draft.discard if besides.discard is None else besides.discard
    draft.initiative = draft.initiative if besides.initiative is None else index[besides.initiative]
    draft.round = draft.round if besides.round is None else besides.round
    if besides.passed is not None:
        draft.passed = [faction in besides.passed for faction in draft.board.factions]
    tokens = dict(zip(draft.board.slots, draft.bonuses, strict=True)) | dict(besides.bonuses)
    draft.bonuses = tuple(tokens.values())
    if besides.dice is not None and draft.turn is not None:
        if draft.turn.stage is Stage.JOIN:
            conflict.close_window(draft)
        draft.turn = draft.turn._replace(dice=besides.dice)


def judge_box(hearing: Hearing, draft: Draft) -> None:
    """Whether the box has so many cards of each kind, and each token lies on one slot only."""
    deck = draft.mode.deck
    named = [card for hand in draft.hands if not isinstance(hand, int) for card in hand] + list(draft.discard)
    hidden = sum(hand for hand in draft.hands if isinstance(hand, int))
    counts = {card: named.count(card) for card in named}
    for card, n in counts.items():
        hearing.weigh("agreed.cards", n <= deck[card], topic=COPIES, what=card, n=n, most=deck[card])
    whole, out = sum(deck.values()), len(named) + hidden
    hearing.weigh("agreed.cards", out <= whole, what="all cards", n=out, most=whole)
    lying = [token for token in draft.bonuses if token]
    for token in dict.fromkeys(lying):
        hearing.weigh("agreed.token-twice", lying.count(token) == 1, token=token)


def end_as_agreed(draft: Draft, winner: str) -> None:
    """The players say who has won: one gave up, or they counted it themselves."""
    conflict.end_game(draft, draft.mode.faction_index[winner], AGREED)
