"""The log, taking back, corrections, score, sharing, statistics, and the menu."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.core.storage import games_dir
from companion.games.match import AnyMatch, GameSession, Match
from companion.replays.animation import write_gif
from companion.replays.page import write_page
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Scene
from companion.scenes.home.statistics import StatisticsScene
from companion.scenes.review.correct import CorrectScene, MapMomentScene, Recast, ReplaceScene, ReviewScene, recast
from companion.scenes.review.correct_now import StraightScene
from companion.scenes.review.log import LogScene, UndoScene
from companion.scenes.story.game_log import take_back
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.ending import ShareScene
from companion.scenes.table.game_menu import MenuScene, MoreMenuScene
from companion.scenes.table.score import PhotoScene, ScoreScene, decide_scene, shareable_score
from companion.text.people import People
from companion.ui.screen import Intent
from engine.orders.steps import Deploy, Roll
from tests.companion.equip import equip
from tests.companion.gallery.gallery import scene, scenes_after
from tests.companion.perception.seeing import reading_of
from tests.companion.sample_games import BOARD, BONUSES, REQUEST, lines_of, played
from tests.companion.touching import Hand
from vision.reading.read import Reading

PEOPLE = {"red": "Ana", "black": "Bo"}


def table_of(hand: Hand, steps: int | None = None) -> BoardTable:
    """Return a table with the sample game as far as so many steps."""
    match = Match.start(games_dir() / "2026-11-21.jsonl", BOARD, "red", BONUSES, PEOPLE)
    for step in played()[0][:steps]:
        match.offer(step)
    table = BoardTable(hand.app.stage, match, hand.app.scene)
    hand.app.scene = table
    return table


def of_table(make: Callable[[BoardTable], Scene], steps: int | None = None) -> Callable[[Hand], None]:
    """Return what puts a scene of the sample game's table, so many steps on, on stage."""

    def put(hand: Hand) -> None:
        hand.app.scene = make(table_of(hand, steps))

    return put


def log(table: BoardTable) -> LogScene:
    """Return the log of a table, from which it is gone back to."""
    return LogScene(table, table)


def scored(table: BoardTable) -> ScoreScene:
    """Return the score of a table, from which it is gone back to."""
    return ScoreScene(table, table)


def roll_of(match: Match, least: int = 20) -> int:
    """Return the number of the first roll after so many steps."""
    return next(n for n, step in enumerate(match.steps, 1) if isinstance(step, Roll) and n > least)


def turn_of(match: Match) -> int:
    """Return the number of the first turn after a dozen steps."""
    return next(n for n, step in enumerate(match.steps, 1) if isinstance(step, Deploy) and n > 12)


def recast_roll(table: BoardTable, least: int, face: int) -> Recast:
    """Return the game as if all dice of its first roll after so many steps had shown that face."""
    number = roll_of(table.match, least)
    roll = table.match.steps[number - 1]
    assert isinstance(roll, Roll)
    return recast(table.match, number, (Roll((face,) * len(roll.dice), roll.by),))


class StillEye:
    """Sees the same board in every picture, unsure of two areas."""

    has_camera = True

    def read_now(self, _match: Match | None) -> Reading:
        """Return the board after forty steps."""
        troop = (("red", "troop", 1),)
        return reading_of(played()[1][40], {"c4": ((troop, 0.5), ((), 0.5))}, ("b3",))

    def read_file(self, _path: Path) -> Reading:
        """Return the board after forty steps, whichever the file."""
        return self.read_now(None)


pictured = of_table(lambda table: PhotoScene(StillEye(), (table.match.board, None), table), 0)
"""The ways to a picture."""


@scene
def consent_half_given(hand: Hand) -> None:
    """One of two has agreed."""
    people = People(("red", "black"), PEOPLE)
    asked = "Undo dice or cards?", "Ana rolled 2 and 1."
    hand.app.scene = ConsentScene(asked, people, lambda: None, hand.app.scene)
    hand.app.touch(Intent("agree", "red", seat="red"))


@scene
def log_with_marks(hand: Hand) -> None:
    """Show a roll corrected, another step taken back."""
    table = table_of(hand, 26)
    found = recast_roll(table, 6, 0)
    table.match.recast(found.after, found.steps)
    hand.app.scene = log(table)


@scene
def undo_lists(hand: Hand) -> None:
    """Show the steps to take back and the steps to do again."""
    table = table_of(hand, 60)
    table.match.undo(4)
    hand.app.scene = UndoScene(table, table)


@scene
def score_to_share(hand: Hand) -> None:
    """Show a code for BG Stats, and what else can be made."""
    equip(hand.app.stage, replays={"html": write_page, "gif": write_gif})
    of_table(lambda table: ShareScene(table, shareable_score(table), scored(table)))(hand)


@scene
def undo_asks_both(hand: Hand) -> None:
    """Show a roll that is to be taken back."""
    table = table_of(hand, 30)
    asked = take_back(table, roll_of(table.match, 4) - 1, table)
    assert asked is not None
    hand.app.scene = asked


def read_picture(hand: Hand) -> None:
    """Read the first picture."""
    pictured(hand)
    photo = hand.app.scene
    assert isinstance(photo, PhotoScene)
    photo.touch(Intent("now"))
    photo.wait()
    hand.app.tick(0.0)


@scene
def menu_more(hand: Hand) -> None:
    """Show the part of the menu that is rarely needed."""
    table = table_of(hand, 10)
    hand.app.stage.can_play = True
    equip(hand.app.stage, eye=StillEye())
    hand.app.scene = MoreMenuScene(hand.app.stage, table, table)


def in_halves(hand: Hand, steps: int | None) -> None:
    """Put a game on a screen with two halves."""
    table = table_of(hand, steps)
    hand.app.stage.settings = replace(hand.app.stage.settings, layout="two")
    hand.app.table = table


def counted(hand: Hand, tab: str) -> None:
    """Statistics of a few games."""
    from engine.orders.wire import step_to_json

    for n, names in enumerate((("Ana", "Bo"), ("Bo", "Ana"), ("Ana", "Carla"), ("", ""))):
        request = {**REQUEST, "players": {"red": names[0], "black": names[1]}}
        steps = played()[0][: 30 if n == 2 else None]
        (games_dir() / f"game-{n}.jsonl").write_bytes(lines_of(request, *map(step_to_json, steps)))
    (games_dir() / "game-broken.jsonl").write_bytes(b"no game\n")
    found = StatisticsScene(games_dir(), hand.app.scene)
    found.wait()
    found.touch(Intent("tab", tab))
    hand.app.scene = found


@scene
def statistics_duels(hand: Hand) -> None:
    """Another system beside it: a card game played to its end."""
    from tests.companion.plain_tables import REQUESTS, WHOLE, steps_of

    duel: AnyMatch = GameSession.begin(games_dir() / "duel.jsonl", REQUESTS["generals"])
    assert all(duel.offer(step).legal for step in steps_of("generals", WHOLE))
    duel.close()
    counted(hand, "generals")


scenes_after(
    __name__,
    {
        # a corrected roll after which all that follows still holds; one player has agreed
        "correct_review": (
            of_table(lambda table: ReviewScene(table, recast_roll(table, 20, 2), table)),
            Intent("agree", "red", seat="red"),
        ),
        "log_empty": (of_table(log, 0),),
        "log_of_a_game": (of_table(log),),
        "log_moment": (of_table(lambda table: MapMomentScene(table, roll_of(table.match), log(table))),),
        "correct_what": (of_table(lambda table: CorrectScene(table, roll_of(table.match), table)),),
        # the dice of a past roll, and a past turn, entered anew
        "correct_a_roll": (of_table(lambda table: ReplaceScene(table, roll_of(table.match), table)),),
        "correct_a_turn": (of_table(lambda table: ReplaceScene(table, turn_of(table.match), table)),),
        # a turn taken out, so that a later one cannot have been
        "correct_review_with_steps_that_fall": (
            of_table(lambda table: ReviewScene(table, recast(table.match, 1, ()), table)),
        ),
        "correct_present_empty": (of_table(lambda table: StraightScene(table, table), 30),),
        "correct_present_gathered": (
            "correct_present_empty",
            Intent("area", "c4"),
            Intent("count", "black/troop", 1),
            Intent("record"),
        ),
        "score_now": (of_table(scored, 30),),
        "score_final": (of_table(scored),),
        "score_areas": ("score_final", Intent("areas")),
        "score_by_hand": (of_table(lambda table: decide_scene(table, scored(table)), 30),),
        "score_from_a_picture": (pictured,),
        "menu_of_a_game": (of_table(lambda table: MenuScene(table.stage, table), 10),),
        # each looks at a side in words
        "halves_sides": (
            lambda hand: in_halves(hand, 30),
            Intent("side", "red", seat="red"),
            Intent("side", "red", seat="black"),
        ),
        # the same sharing page with the code of the result
        "score_to_share_as_text": ("score_to_share", Intent("code", "text")),
        # ask about a doubtful area
        "score_photo_question": (read_picture,),
        # all is said
        "score_photo_result": (read_picture, Intent("said"), Intent("said")),
        # one has opened the menu, the other the log
        "halves_menu_and_log": (
            lambda hand: in_halves(hand, 30),
            Intent("menu", seat="red"),
            Intent("menu", seat="black"),
            Intent("log", seat="black"),
        ),
        # both look at the score
        "halves_score": (lambda hand: in_halves(hand, 30), Intent("menu", seat="red"), Intent("score", seat="red")),
        # area by area, in narrow halves
        "halves_score_areas": ("halves_score", Intent("areas", seat="black")),
        # one asks the referee, the other one already whether something is allowed
        "halves_asking": (
            lambda hand: in_halves(hand, 30),
            Intent("dispute", seat="red"),
            Intent("dispute", seat="black"),
            Intent("ask", "0", seat="black"),
        ),
        # both look back
        "halves_moment": (
            lambda hand: in_halves(hand, 30),
            Intent("log", seat="black"),
            Intent("moment", "", 24, seat="black"),
        ),
        # both put the present right
        "halves_present": (
            lambda hand: in_halves(hand, 30),
            Intent("menu", seat="black"),
            Intent("straight", seat="black"),
            Intent("area", "c4", seat="red"),
            Intent("count", "black/troop", 1, seat="black"),
            Intent("record", seat="red"),
        ),
        # both are asked, whoever began
        "halves_consent": (
            lambda hand: in_halves(hand, 24),
            Intent("log", seat="black"),
            Intent("moment", "", 4, seat="black"),
            Intent("go-on", seat="black"),
            Intent("agree", "black", seat="black"),
        ),
        # the lists in a narrow half
        "halves_undo_lists": (lambda hand: in_halves(hand, 24), Intent("undo-list", seat="red")),
        # who wins
        "statistics_players": (lambda hand: counted(hand, "players"),),
        # how games go
        "statistics_games": (lambda hand: counted(hand, "orders"),),
        # dice and actions
        "statistics_play": (lambda hand: counted(hand, "play"),),
    },
)
