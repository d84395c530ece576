"""Looking back on a game: while it is looked over, the whole of it, its turning points, and nothing to be had."""

from __future__ import annotations

from dataclasses import replace

from companion.games.match import Match
from companion.games.reviews import write_review
from companion.scenes.generals.score import DuelReview
from companion.scenes.home.learn import LearnScene
from companion.scenes.learn.practice import SHOW, PracticeScene
from companion.scenes.review.looking_back import ReviewedGame, ReviewedPoint
from companion.scenes.sonae.score import BattleReview
from companion.scenes.table.ending import EndScene
from companion.ui.screen import Intent
from engine.orders.player import Reason
from engine.orders.player.review import ReviewedTurn, Swing
from engine.orders.steps import Deploy
from tests.companion.gallery.gallery import scene, scenes_after
from tests.companion.gallery.rooms.log import table_of
from tests.companion.plain_tables import WHOLE, laid
from tests.companion.sample_reviews import reviewed
from tests.companion.touching import Hand


def keep(match: Match, turns: tuple[ReviewedTurn, ...]) -> None:
    """Lay a review beside a game."""
    write_review(match.path, match.mark(len(match.steps)), turns)


def looked_back(hand: Hand, turns: tuple[ReviewedTurn, ...] | None = None) -> ReviewedGame:
    """Return the sample game, over, and looked back on."""
    table = table_of(hand)
    keep(table.match, reviewed() if turns is None else turns)
    hand.app.scene = ReviewedGame(table, EndScene(table))
    return hand.app.scene


@scene
def review_begun(hand: Hand) -> None:
    table = table_of(hand)
    hand.app.scene = ReviewedGame(table, EndScene(table))


@scene
def review_under_way(hand: Hand) -> None:
    review_begun(hand)
    scene = hand.app.scene
    assert isinstance(scene, ReviewedGame)
    scene.review.turns = reviewed()[:17]


@scene
def review_failed(hand: Hand) -> None:
    review_begun(hand)
    scene = hand.app.scene
    assert isinstance(scene, ReviewedGame)
    scene.review.stop()


@scene
def review_without_turning_points(hand: Hand) -> None:
    quiet = [replace(turn, swings=(replace(turn.swings[0], change=0.0),)) for turn in reviewed()]
    looked_back(hand, tuple(quiet))


@scene
def review_point_of_choice(hand: Hand) -> None:
    game = looked_back(hand)
    number = next(n for n, point in enumerate(game.points) if point.by == "choice")
    hand.app.scene = ReviewedPoint(game, number)


@scene
def review_point_of_luck(hand: Hand) -> None:
    """As if everybody had always found the best turn."""
    wise = [replace(turn, swings=(replace(turn.swings[0], change=0.0), *turn.swings[1:])) for turn in reviewed()]
    hand.app.scene = ReviewedPoint(looked_back(hand, tuple(wise)), 0)


@scene
def review_point_with_many_words(hand: Hand) -> None:
    """Show a long turn with two long reasons."""
    turns = list(reviewed())
    at = next(n for n, turn in enumerate(turns) if isinstance(turn.turn, Deploy) and turn.turn.place)
    reasons = (
        Reason("guards", ("e3",), 0, 0.4),
        Reason("holds", ("c4",), 3, 0.4),
        Reason("links", ("b2", "b3", "c3"), 5),
    )
    swing = Swing(turns[at].first, "choice", turns[at].side, -0.9)
    turns[at] = replace(turns[at], swings=(swing,), reasons=reasons, best_chance=0.95, taken_chance=0.05)
    game = looked_back(hand, tuple(turns))
    number = next(n for n, point in enumerate(game.points) if point.turn.first == turns[at].first)
    hand.app.scene = ReviewedPoint(game, number)


@scene
def review_try_again(hand: Hand) -> None:
    """Show the first turn to try again, on the table."""
    looked_back(hand)
    hand.app.touch(Intent("practise"))


@scene
def review_try_again_answered(hand: Hand) -> None:
    """Show what passing would have been worth."""
    review_try_again(hand)
    hand.app.touch(Intent("pass"))
    if not isinstance(hand.app.scene, PracticeScene) or hand.app.scene.answer is None:
        hand.app.touch(Intent("confirm"))
    hand.app.tick(0.0)


@scene
def review_of_a_battle(hand: Hand) -> None:
    table = laid(hand, "sonae", WHOLE)
    hand.app.scene = BattleReview(table, EndScene(table))


@scene
def review_of_a_duel(hand: Hand) -> None:
    table = laid(hand, "generals", WHOLE)
    hand.app.scene = DuelReview(table, EndScene(table))


@scene
def puzzles(hand: Hand) -> None:
    hand.app.scene = LearnScene(hand.app.stage, hand.app.scene)
    hand.app.touch(Intent("puzzles"))


scenes_after(
    __name__,
    {
        "review_whole": (looked_back,),
        "review_point_better": ("review_point_of_choice", Intent("better")),
        "review_point_by_point": (looked_back, Intent("account")),
        "review_try_again_shown": ("review_try_again", SHOW),
        "puzzle_asked": ("puzzles", Intent("puzzles", "ground")),
        "puzzle_shown": ("puzzle_asked", SHOW),
    },
)
