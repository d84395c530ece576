"""Looking back on a game: while it is looked over, the whole of it, its turning points, and nothing to be had."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.games.reviews import write_review
from companion.scenes.base.stage import Scene
from companion.scenes.generals.score import DuelReview
from companion.scenes.learn.learn import LearnScene
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


def looked_over(hand: Hand, turns: tuple[ReviewedTurn, ...] = ()) -> ReviewedGame:
    """Return the sample game, over, while it is looked over, or with the review of these turns."""
    table = table_of(hand)
    if turns:
        write_review(table.match.path, table.match.mark(len(table.match.steps)), turns)
    hand.app.scene = game = ReviewedGame(table, EndScene(table))
    return game


def looked_back(hand: Hand) -> ReviewedGame:
    """Return the sample game, over, and looked back on."""
    return looked_over(hand, reviewed())


def calm() -> tuple[ReviewedTurn, ...]:
    """Return the turns as if everybody had always found the best one."""
    return tuple(replace(turn, swings=(replace(turn.swings[0], change=0.0), *turn.swings[1:])) for turn in reviewed())


def point_of_choice(hand: Hand) -> None:
    game = looked_back(hand)
    number = next(n for n, point in enumerate(game.points) if point.by == "choice")
    hand.app.scene = ReviewedPoint(game, number)


def point_of_luck(hand: Hand) -> None:
    hand.app.scene = ReviewedPoint(looked_over(hand, calm()), 0)


def ended(hand: Hand, system: str, scene: Callable[[Any, EndScene], Scene]) -> None:
    """Put a scene of a whole game of a system on stage."""
    table = laid(hand, system, WHOLE)
    hand.app.scene = scene(table, EndScene(table))


@scene
def review_under_way(hand: Hand) -> None:
    looked_over(hand).review.turns = reviewed()[:17]


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
    game = looked_over(hand, tuple(turns))
    number = next(n for n, point in enumerate(game.points) if point.turn.first == turns[at].first)
    hand.app.scene = ReviewedPoint(game, number)


@scene
def review_try_again_answered(hand: Hand) -> None:
    """Show what passing would have been worth."""
    looked_back(hand)
    hand.app.touch(Intent("practise"))
    hand.app.touch(Intent("pass"))
    if not isinstance(hand.app.scene, PracticeScene) or hand.app.scene.answer is None:
        hand.app.touch(Intent("confirm"))
    hand.app.tick(0.0)


scenes_after(
    __name__,
    {
        "review_begun": (looked_over,),
        "review_failed": (lambda hand: looked_over(hand).review.stop(),),
        "review_without_turning_points": (
            lambda hand: looked_over(hand, tuple(replace(turn, swings=turn.swings[:1]) for turn in calm())),
        ),
        "review_whole": (looked_back,),
        "review_point_of_choice": (point_of_choice,),
        "review_point_of_luck": (point_of_luck,),
        "review_point_better": ("review_point_of_choice", Intent("better")),
        "review_point_by_point": (looked_back, Intent("account")),
        # the first turn to try again, on the table
        "review_try_again": (looked_back, Intent("practise")),
        "review_try_again_shown": ("review_try_again", SHOW),
        "review_of_a_battle": (lambda hand: ended(hand, "sonae", BattleReview),),
        "review_of_a_duel": (lambda hand: ended(hand, "generals", DuelReview),),
        "puzzles": (
            lambda hand: hand.app.show_scene("", LearnScene(hand.app.stage, hand.app.scene)),
            Intent("puzzles"),
        ),
        "puzzle_asked": ("puzzles", Intent("puzzles", "ground")),
        "puzzle_shown": ("puzzle_asked", SHOW),
    },
)
