"""The review of a game: its curve of chances, the turns that decided it, and what was luck or choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from companion.core.language import _
from companion.games.orders import orders_throws
from companion.games.reviews import Exercise, exercises_of
from companion.scenes.base.map_picture import Marks, map_picture, turn_traces
from companion.scenes.base.reviews import RunningReview
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.story.tables import OrdersTable
from companion.systems.game_system import Slot
from companion.text.people import People
from companion.text.percent import chance_percent
from companion.text.review import (
    CurvePart,
    TurnWords,
    curve_parts,
    given_away,
    good_turns,
    luck_lines,
    point_lines,
    point_title,
    points_words,
    signed_percent,
    story,
)
from companion.ui.screen import (
    Bar,
    Bars,
    Block,
    Button,
    Buttons,
    ChanceCurve,
    Columns,
    Intent,
    MapPicture,
    Screen,
    Slip,
    Text,
    Trace,
    back_button,
)
from engine.orders.game import apply
from engine.orders.player.review import Account, ReviewedTurn, TurningPoint, account, chances, turning_points
from engine.orders.steps import Deploy
from engine.orders.turn import ready

LIFTED = 2  # an intent's number once the finger has left what it drags
NEAR_TURNS = 1
"""How many turns from a turning point a finger may be to open it."""
HIGH_PT, LOW_PT = 92.0, 84.0
MOST_GIVEN, MOST_LUCK = 0.05, 0.2
"""The chances that a full bar stands for, unless a value is larger."""


PRACTICES = Slot[Callable[[Stage, Sequence[Exercise], Scene], Scene]]("practice")
"""Opens the scene in which turns are tried again; the last argument is the scene to go back to."""


class ReviewedGame(BackScene):
    """The review: the curve, its turning points, and both sides' luck and choices, or how far the search is."""

    shared = True  # both look back, on the table between them

    def __init__(self, table: OrdersTable, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self._looked_at = -1
        table.stage.reviews.of(table.match, anew=True)

    @property
    def review(self) -> RunningReview:
        """The review of the game as it is now."""
        return self.table.stage.reviews.of(self.table.match)

    @property
    def points(self) -> tuple[TurningPoint, ...]:
        """The turning points of the game."""
        return turning_points(self.review.turns)

    def tick(self, _now_s: float) -> Scene | None:
        """Take in what the search has found; return this scene if that is new, else None."""
        return self if self.review.look() else None

    # ---- what it shows ------------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the whole review, or how far the search is."""
        review = self.review
        whole = review.state == "done"
        blocks = (*self.curve(HIGH_PT), *(self._whole() if whole else (_progress(review),)))
        title = _("How the game was won") if self.table.winner is not None else _("How the game went")
        return Screen(title=title, blocks=blocks, actions=(back_button("quiet"), *self._onward()), page=self.page)

    def _onward(self) -> tuple[Button, ...]:
        """Return the buttons of a finished review: point by point, and turns to try again if there are any."""
        if self.review.state != "done" or not self.review.turns:
            return ()
        again = Button(_("Try again"), Intent("practise"), "primary", "redo")
        points = Button(_("Point by point"), Intent("account"), sign="points")
        return (points, again) if self.exercises else (points,)

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """The turns that people, not the app, could have played better, as exercises."""
        match = self.table.match
        opponent = match.opponent.side if match.opponent is not None else ""
        return exercises_of(match.path, self.review.mark, self.review.turns, opponent)

    def curve(self, high_pt: float, at: int | None = None) -> tuple[Block, ...]:
        """Return the curve of chances to win, as far as examined; empty before the first turn. at: the turn to mark."""
        turns, people = self.review.turns, self.table.people
        if not turns:
            return ()
        first, second = people.factions
        whole = self.review.state == "done"
        played = groupby(enumerate(turns), lambda pair: pair[1].round)
        rounds = tuple((next(of_round)[0], str(number)) for number, of_round in played)
        points = tuple(turns.index(point.turn) + 1 for point in self.points) if whole else ()
        looked_at = self._looked_at if self._looked_at >= 0 else at
        return (
            ChanceCurve(
                _("Chances to win, turn by turn"),
                (first, second),
                chances(turns, first),
                rounds,
                points,
                looked_at,
                Intent("scrub") if whole else None,
                high_pt,
            ),
        )

    def _whole(self) -> tuple[Block, ...]:
        sides, turns = self.table.people.factions, self.review.turns
        accounts = tuple(account(turns, side) for side in sides)
        told = story(accounts, self.table.people, self.table.match.position.winner_name)
        decided = (Text(told, "strong"),) if told else ()
        return (*decided, Columns(tuple(self._slips()), tuple(self._bars(accounts))))

    def _slips(self) -> Iterator[Block]:
        """Yield a slip for each turning point, or a line saying that there is none."""
        for number, point in enumerate(self.points):
            title = _("{n}. {title}").format(n=number + 1, title=point_title(point, self.table.people))
            yield Slip(title, self.words(point.turn).played_sentence(), intent=Intent("point", "", number))
        if not self.points:
            yield Text(_("No single turn turned this game."))

    def _bars(self, accounts: tuple[Account, ...]) -> Iterator[Block]:
        """Yield bars of what each side gave away by choice and what luck brought it, and their good turns."""
        people = self.table.people
        named = list(zip(people.factions, accounts, strict=True))
        most = max(MOST_GIVEN, *(_a_turn(tally) for tally in accounts))
        yield Bars(
            _("Chances missed, per turn"),
            tuple(Bar(people.name(side), _a_turn(tally) / most, given_away(tally), side) for side, tally in named),
        )
        lucks = [(side, made.luck) for side, made in named]
        largest = max(MOST_LUCK, *(abs(luck) for _side, luck in lucks))
        yield Bars(
            _("Luck with dice and cards"),
            tuple(Bar(people.name(side), abs(luck) / largest, signed_percent(luck), side) for side, luck in lucks),
        )
        good = {side: good_turns(tally) for side, tally in named}
        form = _("Good turns: {one} {n}, {other} {m}")
        one, other = people.factions
        yield Text(form.format(one=people.name(one), n=good[one], other=people.name(other), m=good[other]), "quiet")

    def words(self, turn: ReviewedTurn) -> TurnWords:
        """Return what puts a turn into words."""
        match = self.table.match
        return TurnWords(turn, match.positions, match.steps, self.table.people)

    # ---- touches ------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch on a turning point, any turn on the curve, the page buttons, or Back."""
        match intent.verb:
            case "point" if intent.n < len(self.points):
                return ReviewedPoint(self, intent.n)
            case "scrub" if self.review.state == "done":
                return self._scrub(intent)
            case "account" if self.review.state == "done":
                return AccountScene(self.table, self.review.turns, self)
            case "practise" if self.exercises:
                return PRACTICES.of(self.table.match.system.name)(self.table.stage, self.exercises, self)
        return super().touch(intent)

    def _scrub(self, intent: Intent) -> Scene | None:
        """Mark the place of a finger on the curve; once it lifts, open a turning point close by or else that moment."""
        turns = self.review.turns
        self._looked_at = round(intent.at[0] * len(turns))
        if intent.n < LIFTED:
            return None
        at, self._looked_at = self._looked_at, -1
        places = [turns.index(point.turn) + 1 for point in self.points]
        near = min(range(len(places)), key=lambda n: abs(places[n] - at), default=None)
        if near is not None and abs(places[near] - at) <= NEAR_TURNS:
            return ReviewedPoint(self, near)
        return self.table.moment(turns[at - 1].end if at else 0, self)


def _a_turn(tally: Account) -> float:
    return -tally.choice / max(tally.turns, 1)


def _progress(review: RunningReview) -> Block:
    if review.state == "failed":
        return Text(_("The review failed. Try again."), "bad")
    form = _("Reviewing turn {n} of {all}.")
    hint = _("You can leave this page meanwhile.")
    return Text(f"{form.format(n=min(len(review.turns) + 1, review.total), all=review.total)} {hint}")


class ReviewedPoint(BackScene):
    """One turning point: the map before the turn, with arrows for the turn played, or for a better one."""

    shared = True
    back: ReviewedGame

    def __init__(self, back: ReviewedGame, number: int) -> None:
        super().__init__(back)
        self.number = number
        self.better = False

    @property
    def table(self) -> OrdersTable:
        """The table of the game."""
        return self.back.table

    def show(self) -> Screen:
        """Show what was played, what was better or what luck did, and a button for the next point."""
        points = self.back.points
        if not points:  # the game was changed meanwhile
            return self.back.show()
        point = points[min(self.number, len(points) - 1)]
        title = _("{n}. {title}").format(n=self.number + 1, title=point_title(point, self.table.people))
        lines = tuple(point_lines(point, self.back.words(point.turn)))
        words = tuple(Text(line, "strong" if n == 0 else "plain") for n, line in enumerate(lines) if line)
        at = self.back.review.turns.index(point.turn) + 1
        onward = (Button(_("Next turning point"), Intent("next"), "primary"),) if len(points) > 1 else ()
        return Screen(
            title=title,
            blocks=(*words, *self.back.curve(LOW_PT, at), *self._ways(point)),
            actions=(back_button("quiet"), *onward),
            page=self.page,
            map=self._picture(point),
        )

    def _ways(self, point: TurningPoint) -> tuple[Block, ...]:
        played = Button(_("Played"), Intent("played"), "plain" if self.better else "chosen")
        better = Button(_("Better"), Intent("better"), "chosen" if self.better else "plain")
        shown = (played, better) if point.by == "choice" else ()
        return (Buttons((*shown, Button(_("Replay from here"), Intent("moment"))), 2),)

    def _picture(self, point: TurningPoint) -> MapPicture:
        """Return the map before the turn, with arrows for the better turn, or for the one played and its effects."""
        match, turn = self.table.match, point.turn
        start = ready(match.positions[turn.first], turn.turn)
        chosen = turn.best if self.better else turn.turn
        traces: tuple[Trace, ...] = ()
        if self.better:
            traces = turn_traces((start, apply(start, turn.best)), (turn.best,))
        else:
            traces = turn_traces(match.positions[turn.first : turn.end + 1], match.steps[turn.first : turn.end])
        space = chosen.space if isinstance(chosen, Deploy) else None
        return map_picture(start, Marks(space=space, traces=traces), None)

    def touch(self, intent: Intent) -> Scene | None:
        """Switch the arrows, show the next point, replay the game from here, follow the curve, or go back."""
        points = self.back.points
        match intent.verb:
            case "played" | "better":
                self.better = intent.verb == "better"
            case "next" if points:
                self.number, self.better, self.page = (self.number + 1) % len(points), False, 0
            case "moment" if self.number < len(points):
                return self.table.moment(points[self.number].turn.first, self)
            case "scrub":
                return self.back.touch(intent)
        return super().touch(intent)


class AccountScene(BackScene):
    """The first side's chance to win, point by point: bars that each begin where the last ended, and the dice luck."""

    shared = True

    def __init__(self, table: OrdersTable, turns: Sequence[ReviewedTurn], back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.turns = turns

    def show(self) -> Screen:
        """Show the bars of both sides, and the luck with dice."""
        people, match = self.table.people, self.table.match
        first = people.name(people.factions[0])
        luck = tuple(Text(line, "quiet") for line in luck_lines(orders_throws(match.positions, match.steps), people))
        return Screen(
            title=_("{who}'s chance to win, point by point").format(who=first),
            blocks=(Columns(*((bars,) for bars in account_bars(self.turns, people))), *luck),
            actions=(back_button("primary"),),
            page=self.page,
        )


def account_bars(turns: Sequence[ReviewedTurn], people: People) -> tuple[Bars, Bars]:
    """Return bars of how the first side's chance to win changed: first by its own parts, then by the other side's."""
    parts = curve_parts(turns, people.factions)
    ends = [0.0, 1.0, *(part.begin for part in parts), *(part.end for part in parts)]
    low, high = min(ends), max(ends)

    def bar(part: CurvePart) -> Bar:
        begin, end = sorted((part.begin, part.end))
        name, wide = part.name[:1].upper() + part.name[1:], high - low
        return Bar(name, (end - begin) / wide, points_words(part.points), part.side, (begin - low) / wide)

    def mark(name: str, chance: float) -> Bar:
        return Bar(name, chance / (high - low), chance_percent(chance), begin=-low / (high - low))

    first, second = people.factions
    own, others = ([bar(part) for part in parts if part.side == side] for side in people.factions)
    return (
        Bars(people.name(first), (mark(_("At the start"), parts[0].begin), *own)),
        Bars(people.name(second), (*others, mark(_("In the end"), chances(turns, first)[-1]))),
    )
