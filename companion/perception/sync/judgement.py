"""What a table at rest means, by the legal turns that were weighed against it, and how long before that is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from companion.games.position_facts import hand_size
from companion.perception.adapters import SURE, Difference, GameRecord, compare, compare_idle, with_game
from companion.perception.area_questions import (
    area_question,
    force_of,
    is_torn,
    number_to_offer,
    standing_in,
    stubborn_question,
)
from companion.perception.dice import pips_of, shows_its_dice, with_dice, with_laid_rerolls
from companion.perception.sync.state import Rest, SyncState
from companion.perception.sync.status import InferenceRequest, Item, Sign, SyncStatus, items_of, items_of_fixes
from companion.perception.sync.turn_progress import (
    PAUSE_S,
    THINKING_S,
    clashes,
    may_be_half_done,
    missed_shots,
    pause_s,
    with_clashes,
)
from engine.orders.inference.infer import Explanation, Inference
from engine.orders.inference.repair import Repair
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass, Roll
from engine.orders.turn import commanders_before_homecoming, ready
from vision.reading.count import Combo
from vision.reading.experience import TRUST
from vision.reading.read import Reading

OUT_AFTER_S = 4.0
"""How long a table that nothing explains is left alone before it is said: people pause between two pieces."""
UNEXPLAINED = 0.5
"""The likelihood from which it counts that no legal turn explains what is seen."""
BEHIND_MOST = 12
"""How many steps back the board may be while the game was entered by touch."""
REROLLED = 0.1
"""How likely somebody who has a card has spent one to roll again."""
RIVAL = 0.01
"""How likely another turn that leaves the same table has to be, against the likeliest, to leave it open."""
LEFT_OPEN = 0.89
"""The likelihood of what is left open, at most: it is not sure."""


def fits_a_turn(inference: Inference) -> bool:
    """Return whether some legal turn explains the reading better than that nothing was done."""
    first = inference.explanations[:1]
    return inference.none <= UNEXPLAINED and any(explanation.steps for explanation in first)


def judge_table(state: SyncState, game: GameRecord, request: InferenceRequest, inference: Inference) -> SyncStatus:
    """Return what the table means: nothing was done, a turn was, dice are due, the board is behind or out of sync."""
    position, reading, turn = request.position, request.reading, state.turn
    clashing = clashes(position, reading)
    found = with_dice(inference.explanations, position, state.dice.offer)
    found = with_clashes(found, position, turn.clash_areas - clashing)
    found = with_laid_rerolls(found, position, request.laid_cards, state.dice.throws)
    done = tuple(explanation for explanation in found if explanation.steps not in turn.refused_turns)
    turns = tuple(explanation for explanation in done if explanation.steps)
    fits = inference.none <= UNEXPLAINED
    idle = fits and bool(inference.explanations) and not inference.explanations[0].steps
    differences = compare_idle(position, reading) if idle else compare(position, reading)
    if not turn.is_agreed and is_behind(game, differences, reading, state.agreed, turn.accepted_reading):
        return SyncStatus("behind", differences=differences, items=items_of(differences))
    missed = missed_shots(turns, position, reading)
    if missed and shows_its_dice(missed[0], state.dice.offer) and not pips_of(missed[0]):
        return SyncStatus("proposal", differences=differences, explanations=missed)
    if missed and (idle or turns[0] in missed):
        return SyncStatus("dice", differences=differences, explanations=missed)
    if idle:
        return _as_recorded(position, reading, differences, done)
    waits_for_dice = bool(clashing) and not turn.refused_turns
    if fits and turns:  # what dice may have shown is not to be guessed
        dice = SyncStatus("dice", differences=differences)
        return dice if waits_for_dice else _proposed(position, reading, differences, done, inference.fuller)
    seen = _out_of_sync(position, reading, differences, inference.repair)
    if waits_for_dice and all(item.place in clashing for item in seen.items):
        return SyncStatus("dice", differences=differences)
    return replace(seen, taken_back=None if turn.is_kept else taken_back(game, differences, reading))


def _proposed(
    position: Position,
    reading: Reading,
    differences: tuple[Difference, ...],
    done: tuple[Explanation, ...],
    fuller: float,
) -> SyncStatus:
    """Return the status that proposes the likeliest turn, with what is odd beside it, and what to ask if in doubt.

    fuller: the odds of a fuller turn.
    """
    turns = tuple(explanation for explanation in done if explanation.steps)
    doubt = area_question(position, reading, done)
    after = compare(turns[0].position, reading)
    doubtful = any(difference.state != "agrees" for difference in after if difference.area in reading.counts)
    said = temper_turns(turns, position, fuller, doubtful)
    seen = SyncStatus("proposal", differences=differences, explanations=said, question=doubt, items=items_of(after))
    few = number_to_offer(turns) if doubt is not None or is_torn(turns) else 0
    return replace(seen, question=None, choice=few) if few else seen


def _out_of_sync(
    position: Position, reading: Reading, differences: tuple[Difference, ...], nearest: Repair | None
) -> SyncStatus:
    """Return the status that names what is not as recorded, or as the nearest legal turn would leave it."""
    items = items_of(differences)
    if nearest is not None:
        items = items_insisted_on(items_of_fixes(nearest.fixes), nearest.position, reading)
    return SyncStatus("out", differences=differences, items=items, nearest=nearest)


def items_insisted_on(items: tuple[Item, ...], position: Position, reading: Reading) -> tuple[Item, ...]:
    """Return the items that the eye insists on though `position` makes them unlikely; all items if there are none."""
    seen = with_game(reading, position)

    def insists(item: Item) -> bool:
        if item.unit == "commander":
            chance = reading.leaders.get(item.place, {}).get(item.faction, 0.0)
            return chance > TRUST if item.more > 0 else chance < 1 - TRUST
        belief = seen.counts.get(item.place)
        return belief is None or tuple(sorted(belief.best)) != standing_in(position, item.place)

    return tuple(filter(insists, items)) or items


def _as_recorded(
    position: Position, reading: Reading, differences: tuple[Difference, ...], done: tuple[Explanation, ...]
) -> SyncStatus:
    """Return the status where nothing was done, with a question if a turn may have been, or the eye says otherwise."""
    doubtful = any(difference.state != "agrees" for difference in differences)
    asked = area_question(position, reading, done) or stubborn_question(position, reading, differences)
    return SyncStatus("unsure" if doubtful else "sync", differences=differences, question=asked)


def patience(
    state: SyncState, request: InferenceRequest, inference: Inference, meant: SyncStatus
) -> tuple[float, Sign]:
    """Return how long a status has to last before it is shown, in seconds, and the sign until then."""
    position, refused = request.position, state.turn.refused_turns
    is_counted = state.rest.counted is state.reading  # people have counted an area: they are done
    if is_counted or (meant.sign in ("sync", "behind", "dice") and meant.question is None):
        return 0.0, meant.sign
    if meant.taken_back is not None:
        return PAUSE_S, "waiting"
    if clashes(position, request.reading) and not refused:
        return THINKING_S, "dice"
    if meant.explanations:
        first = meant.explanations[0]
        rest_s = 0.0 if shows_its_dice(first, state.dice.offer) else pause_s(first, inference.fuller, position)
        return max(rest_s, PAUSE_S if meant.question or meant.choice else 0.0), "playing"
    differences = meant.differences or ()
    sure = any(difference.state == "differs" for difference in differences)
    if not refused and (may_be_half_done(position, differences) or (meant.sign == "out" and not sure)):
        return THINKING_S, "playing"
    return (0.0 if meant.sign == "unsure" and meant.question is None else OUT_AFTER_S), "waiting"


def hold_back(
    rest: Rest, said: SyncStatus, meant: SyncStatus, patience: tuple[float, Sign], now_s: float
) -> tuple[SyncStatus, Rest]:
    """Return the status to show and the next `Rest`; a status that takes patience is only shown once it has lasted.

    Its time runs from when the table came to rest; hands that change nothing only interrupt it. "out" is held back no
    more once it is shown. said: the status shown so far; patience: how long to wait in seconds, 0 for not at all, and
    the sign until then.
    """
    rest_s, meanwhile = patience
    if not rest_s or meant.sign == said.sign == "out":
        return meant, rest.release()
    first = meant.explanations[0] if meant.explanations else None
    turn = first and (first.position.units, round(rest_s, 2), round(first.likelihood, 2))
    is_other = turn is not None and turn != rest.turn
    since_s = rest.waits_since_s
    if since_s is None or is_other:
        waited_s = rest.waited_s if turn is not None and not is_other else 0.0
        since_s = (now_s if rest.since_s is None else rest.since_s) - waited_s
    rest = replace(rest, waits_since_s=since_s, turn=turn)
    return (meant if now_s - since_s >= rest_s else SyncStatus(meanwhile, differences=meant.differences)), rest


# ---- turns that were taken ---------------------------------------------------------------------------


def with_disputes(meant: SyncStatus, position: Position, disputed: Mapping[str, Combo]) -> SyncStatus:
    """Return the status with what is disputed added; the board isn't called as recorded meanwhile.

    disputed: {area: what the eye is sure of} where the game has something else.
    """
    differences = [
        Difference(area, "differs", position.units_in(area), force_of(seen), 1.0)
        for area, seen in disputed.items()
        if seen != standing_in(position, area)
    ]
    if not differences or meant.differences is None:
        return meant
    at = {difference.area: difference for difference in differences}
    beside = items_of(differences)
    meant = replace(
        meant,
        disputed=beside,
        differences=tuple(at.get(difference.area, difference) for difference in meant.differences),
    )
    if meant.sign in ("sync", "unsure") and meant.question is None:
        return replace(meant, sign="behind", items=beside)
    return replace(meant, items=tuple(dict.fromkeys((*meant.items, *beside)))) if meant.sign != "dice" else meant


def taken_back(game: GameRecord, differences: Iterable[Difference], reading: Reading) -> int | None:
    """Return how many steps remain if the board differs, but stands as before the last turn; else None."""
    begun = next((n for n in reversed(range(len(game.steps))) if isinstance(game.steps[n], Deploy | Pass)), None)
    if begun is None or not any(difference.state == "differs" for difference in differences):
        return None
    is_back = all(difference.state != "differs" for difference in compare(game.positions[begun], reading))
    return begun if is_back else None


# ---- hands that follow the game -----------------------------------------------------------------------


def is_behind(
    game: GameRecord,
    differences: Iterable[Difference],
    reading: Reading,
    agreed: int = 0,
    accepted: Reading | None = None,
) -> bool:
    """Return whether hands are only following the game: each difference is as one of the last steps left it.

    Each place is compared by itself, as hands move one piece after the other. agreed: after how many steps the board
    was last as recorded; it isn't compared with earlier ones. accepted: the reading by which people took the last
    turn: where more is to follow, a place that looks as it did then doesn't count.
    """
    left = differing = _differing(differences)
    for moment in _recent(game, agreed):
        left = left & _differing(compare(moment, reading))
    if accepted is not None and left != differing:
        left = {place for place in left if not _looks_alike(place, reading, accepted)}
    return bool(differing) and not left


def _looks_alike(place: str, one: Reading, other: Reading) -> bool:
    if ":" in place:
        return one.commanders.get(place) == other.commanders.get(place)
    return one.units.get(place) == other.units.get(place)


def _differing(differences: Iterable[Difference]) -> set[str]:
    return {difference.area for difference in differences if difference.state == "differs"}


def _recent(game: GameRecord, agreed: int) -> Iterator[Position]:
    """Yield the positions before the last steps and, where a round ended, the board with its commanders still on it.

    The earliest is that after `agreed` steps, but a round that ended with these may still be cleared away.
    """
    for number in range(len(game.steps) - 1, max(0, len(game.steps) - BEHIND_MOST, agreed - 1) - 1, -1):
        was, step, now = game.positions[number], game.steps[number], game.positions[number + 1]
        if number >= agreed:
            yield was
        if was.round != now.round:
            yield replace(now, commanders=commanders_before_homecoming(ready(was, step), step))


# ---- how sure a proposal may be ------------------------------------------------------------------------
# What leaves no trace on the table is ruled out by no look at it.


def temper_turns(
    turns: Sequence[Explanation], position: Position, fuller: float = 0.0, doubtful: bool = False
) -> tuple[Explanation, ...]:
    """Return the turns, likeliest first, with likelihoods lowered to what may honestly be claimed.

    Dice may have been rolled again, or a card played that changed nothing. fuller: the odds that the first turn is only
    the beginning of a fuller one. doubtful: the eye isn't sure that the table looks as the first turn leaves it.
    """
    first, *others = turns
    alike = any(other.likelihood >= RIVAL * first.likelihood and _is_same_table(other, first) for other in others)
    most = LEFT_OPEN if doubtful or alike or 1 / (1 + fuller) < SURE else 1.0
    return tuple(replace(turn, likelihood=min(most, turn.likelihood * _told(turn, position))) for turn in turns)


def _is_same_table(one: Explanation, other: Explanation) -> bool:
    """Return whether both turns leave the same on the board, counting commanders that hands have yet to take home."""
    if one.position.units != other.position.units:
        return False
    if one.position.round == other.position.round:
        return one.position.commanders == other.position.commanders
    return _spaces(one) == _spaces(other)


def _spaces(turn: Explanation) -> list[str]:
    """Return the spaces where a turn puts commanders."""
    return [step.space for step in turn.steps if isinstance(step, Deploy)]


def _told(turn: Explanation, position: Position) -> float:
    """Return how likely it is that nobody has spent a card to roll again."""
    rolls = [step for step in turn.steps if isinstance(step, Roll) and hand_size(position, step.by)]
    return float((1 - REROLLED) ** len(rolls))
