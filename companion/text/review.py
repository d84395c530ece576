"""A review in a player's words: how a turn turned the game, what was better and why, and how lucky each side was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.core.language import _, plural
from companion.text.advice import reason_words, turn_advice, worth_telling
from companion.text.log import step_and_effects, step_sentence
from companion.text.orders import join_words
from companion.text.people import People
from companion.text.percent import chance_percent
from engine.dice import Throw, luckier_than, luckiest, unluckiest
from engine.orders.player.review import Account, ReviewedTurn, TurningPoint, account, chances
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.orders.turn import ready
from engine.words import decimal

BARS = "▁▂▃▄▅▆▇█"
MOST_REASONS = 2
NO_REASON = ("waits", "prepares")
"""Reasons that say no more than the turn itself."""


def signed_percent(change: float) -> str:
    """Return a change of a chance, in whole percent.

    >>> signed_percent(0.126), signed_percent(-0.031), signed_percent(-0.004)
    ('+13%', '−3%', '0%')
    """
    return _("{n}%").format(n=points_words(round(100 * change)))


def sparkline(chances: Sequence[float]) -> str:
    """Return chances as a row of bars.

    >>> sparkline([0.0, 0.5, 1.0])
    '▁▅█'
    """
    return "".join(BARS[min(len(BARS) - 1, int(chance * len(BARS)))] for chance in chances)


class TurnWords:
    """Sentences about a reviewed turn. positions and steps: those of the whole game."""

    def __init__(
        self, turn: ReviewedTurn, positions: Sequence[Position], steps: Sequence[Step], people: People
    ) -> None:
        self.turn = turn
        self._positions, self._steps, self._people = positions, steps, people
        self.who = people.name(turn.side)

    def played_sentence(self) -> str:
        """Return the turn that was played, as a sentence."""
        return step_sentence(self.turn.turn, self._positions[self.turn.first], self._people)

    def chance_did(self) -> str:
        """Say what the dice and cards brought about in the turn; "" if there were none."""
        numbers = {swing.step for swing in self.turn.swings if swing.kind != "choice"}
        told = (step_and_effects(self._steps[n], self._positions[n], self._people) for n in sorted(numbers))
        return " ".join(told)

    def better(self) -> str:
        """Say which turn would have been best, what it was worth, and why."""
        turn = self.turn
        start = ready(self._positions[turn.first], turn.turn)
        told = [reason_words(reason) for reason in worth_telling(turn.reasons) if reason.code not in NO_REASON]
        form = _("{turn} wins {best} of the time, not {taken}. It {reasons}.")
        if not told:
            form = _("{turn} wins {best} of the time, not {taken}.")
        return form.format(
            turn=turn_advice(turn.best, start),
            reasons=join_words(told[:MOST_REASONS]),
            best=chance_percent(turn.best_chance),
            taken=chance_percent(turn.taken_chance),
        )

    def luck(self) -> str:
        """Say how luck changed the chance to win."""
        form = _("Good luck for {who}: from {expected} to {after}.")
        if self.turn.luck < 0:
            form = _("Bad luck for {who}: from {expected} to {after}.")
        lucky = min(1.0, max(0.0, self.turn.expected + self.turn.luck))
        return form.format(who=self.who, expected=chance_percent(self.turn.expected), after=chance_percent(lucky))

    def card(self) -> str:
        """Say how a card that was played changed the chance to win."""
        before = min(1.0, max(0.0, self.turn.after - self.turn.played))
        form = _("The card took {who} from {expected} to {after}.")
        return form.format(who=self.who, expected=chance_percent(before), after=chance_percent(self.turn.after))


def point_lines(point: TurningPoint, words: TurnWords) -> Iterator[str]:
    """Yield what was played at a turning point, then what was better or what chance did, a sentence or two each."""
    yield words.played_sentence()
    if point.by == "choice":
        yield words.better()
    elif point.by == "card":
        yield words.chance_did()
        yield words.card()
    else:
        yield words.chance_did()
        yield words.luck()


def point_title(point: TurningPoint, people: People) -> str:
    """Return a turning point's title: its round, its side and what it changed: "Round 3 · Ana −21%"."""
    form = _("Round {n} · {who} {change}")
    return form.format(n=point.turn.round, who=people.name(point.turn.side), change=signed_percent(point.change))


def given_away(account: Account) -> str:
    """Return how much of a side's chance to win its choices gave away per turn on average, in percent."""
    return _("{n}%").format(n=decimal(100 * max(0.0, -account.choice) / max(account.turns, 1), 1))


def good_turns(account: Account) -> str:
    """Say how many of a side's turns were as good as the best: "7 of 12"."""
    return _("{n} of {all}").format(n=account.good, all=account.turns)


@dataclass(frozen=True, slots=True)
class CurvePart:
    """One part of how the first side's chance went: by whom, its name, where it began and ended (0 to 1).

    points: in whole percent, such that those of all parts add up to what the curve is in whole percent.
    """

    side: str
    name: str
    begin: float
    end: float
    points: int


def curve_parts(turns: Sequence[ReviewedTurn], sides: Sequence[str]) -> list[CurvePart]:
    """Return the parts that take the first side's chance from start to end: its own, then the other side's."""
    at = chances(turns, sides[0])[0]
    found = []
    for side, sign in zip(sides, (1.0, -1.0), strict=True):
        for name, change in _account_parts(account(turns, side)):
            end = at + sign * change
            found.append(CurvePart(side, name, at, end, round(100 * end) - round(100 * at)))
            at = end
    return found


def _account_parts(account: Account) -> list[tuple[str, float]]:
    """Return what a side's account is made of, each part by its name; the last one only where there is any."""
    parts = [
        (_("choices"), account.choice),
        (_("cards played"), account.played),
        (_("dice"), account.dice),
        (_("cards drawn"), account.drawn),
        (_("seen later"), account.later),
    ]
    return [*parts, (_("agreed"), account.agreed)] if account.agreed else parts


def points_words(points: int) -> str:
    """Return points of a chance with their sign.

    >>> points_words(13), points_words(-3), points_words(0)
    ('+13', '−3', '0')
    """
    return f"{'+' if points > 0 else '−' if points < 0 else ''}{abs(points)}"


def story(accounts: Sequence[Account], people: People, winner: str | None) -> str:
    """Say in a sentence what decided the game; "" without a winner."""
    if winner is None:
        return ""
    at = people.factions.index(winner)
    won, lost = accounts[at], accounts[1 - at]
    by_choice = won.decisions - lost.decisions
    by_luck = won.luck - lost.luck
    who = people.name(winner)
    if by_choice <= 0 and by_luck <= 0:
        return ""
    if by_choice >= by_luck:
        form = _("{who} won by better decisions.")
        if by_luck < 0:
            form = _("{who} won by better decisions, though luck was against them.")
    else:
        form = _("{who} won with luck.")
        if by_choice > 0:
            form = _("{who} won with better decisions and a lot of luck.")
    return form.format(who=who)


# ---- luck ----------------------------------------------------------------------------------------


PLAYERS = 100


def throw_words(throw: Throw, people: People) -> str:
    """Say how unlikely a roll was: "Ana hit with 1 of 12 dice. That or worse comes 6% of the time."."""
    who, hits = people.name(throw.by), throw.hits
    told = plural(
        "{who} hit with {hits} of {n} die.", "{who} hit with {hits} of {n} dice.", throw.dice, who=who, hits=hits
    )
    if max(throw.faces) > 1:
        told = plural(
            "{who} rolled {hits} with {n} die.", "{who} rolled {hits} with {n} dice.", throw.dice, who=who, hits=hits
        )
    rarity = _("That or better comes {percent} of the time.")
    if not throw.is_lucky:
        rarity = _("That or worse comes {percent} of the time.")
    return f"{told} {rarity.format(percent=chance_percent(throw.rarity))}"


def share_words(who: str, share: Fraction) -> str:
    """Say how lucky a player was with all dice of a game, as a share of 100 players with the same rolls."""
    n = round(PLAYERS * share)
    if n * 2 < PLAYERS:
        return _("{who}: unluckier with dice than {n} of 100 players.").format(who=who, n=min(PLAYERS - n, PLAYERS - 1))
    return _("{who}: luckier with dice than {n} of 100 players.").format(who=who, n=min(n, PLAYERS - 1))


def luck_lines(throws: Sequence[Throw], people: People) -> Iterator[str]:
    """Yield how lucky each side was over a game, then its luckiest and its unluckiest roll."""
    for side in people.factions:
        own = [throw for throw in throws if throw.by == side]
        if own:
            yield share_words(people.name(side), luckier_than(own))
    best, worst = luckiest(throws), unluckiest(throws)
    if best is not None:
        yield _("Luckiest roll: {roll}").format(roll=throw_words(best, people))
    if worst is not None:
        yield _("Unluckiest roll: {roll}").format(roll=throw_words(worst, people))
