"""The log, taking back, corrections, score, sharing, statistics, and the menu."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.core.storage import games_dir
from companion.games.match import AnyMatch, GameSession, Match
from companion.replays.animation import write_gif
from companion.replays.page import write_page
from companion.scenes.base.consent import ConsentScene
from companion.scenes.home.statistics import StatisticsScene
from companion.scenes.review.correct import CorrectScene, MapMomentScene, ReplaceScene, ReviewScene, recast
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


def scored(table: BoardTable) -> ScoreScene:
    """Return the score of a table, from which it is gone back to."""
    return ScoreScene(table, table)


def roll_of(match: Match, least: int = 20) -> int:
    """Return the number of the first roll after so many steps."""
    return next(n for n, step in enumerate(match.steps, 1) if isinstance(step, Roll) and n > least)


class StillEye:
    """Sees the same board in every picture, unsure of two areas."""

    camera = True

    def read_now(self, _match: Match | None) -> Reading:
        """Return the board after forty steps."""
        troop = (("red", "troop", 1),)
        return reading_of(played()[1][40], {"c4": ((troop, 0.5), ((), 0.5))}, ("b3",))

    def file(self, _path: Path) -> Reading:
        """Return the board after forty steps, whichever the file."""
        return self.read_now(None)


@scene
def consent_half_given(hand: Hand) -> None:
    """One of two has agreed."""
    people = People(("red", "black"), PEOPLE)
    asked = "Undo dice or cards?", "Ana rolled 2 and 1."
    hand.app.scene = ConsentScene(asked, people, lambda: None, hand.app.scene)
    hand.app.touch(Intent("agree", "red", seat="red"))


@scene
def log_empty(hand: Hand) -> None:
    """Nothing has happened yet."""
    table = table_of(hand, 0)
    hand.app.scene = LogScene(table, table)


@scene
def log_of_a_game(hand: Hand) -> None:
    """Show a page of turns."""
    table = table_of(hand)
    hand.app.scene = LogScene(table, table)


@scene
def log_with_marks(hand: Hand) -> None:
    """Show a roll corrected, another step taken back."""
    table = table_of(hand, 26)
    number = roll_of(table.match, 6)
    roll = table.match.steps[number - 1]
    assert isinstance(roll, Roll)
    found = recast(table.match, number, (Roll((0,) * len(roll.dice), roll.by),))
    table.match.recast(found.after, found.steps)
    hand.app.scene = LogScene(table, table)


@scene
def log_moment(hand: Hand) -> None:
    """Replay at a shot."""
    table = table_of(hand)
    hand.app.scene = MapMomentScene(table, roll_of(table.match), LogScene(table, table))


@scene
def undo_lists(hand: Hand) -> None:
    """Show the steps to take back and the steps to do again."""
    table = table_of(hand, 60)
    table.match.undo(4)
    hand.app.scene = UndoScene(table, table)


@scene
def undo_asks_both(hand: Hand) -> None:
    """Show a roll that is to be taken back."""
    table = table_of(hand, 30)
    asked = take_back(table, roll_of(table.match, 4) - 1, table)
    assert asked is not None
    hand.app.scene = asked


@scene
def correct_what(hand: Hand) -> None:
    """Ask what was wrong with a step."""
    table = table_of(hand)
    hand.app.scene = CorrectScene(table, roll_of(table.match), table)


@scene
def correct_a_roll(hand: Hand) -> None:
    """Show the dice of a past roll, entered anew."""
    table = table_of(hand)
    hand.app.scene = ReplaceScene(table, roll_of(table.match), table)


@scene
def correct_a_turn(hand: Hand) -> None:
    """Show a past turn, entered anew."""
    table = table_of(hand)
    number = next(n for n, step in enumerate(table.match.steps, 1) if isinstance(step, Deploy) and n > 12)
    hand.app.scene = ReplaceScene(table, number, table)


@scene
def correct_review_with_steps_that_fall(hand: Hand) -> None:
    """Show a turn taken out, so that a later one cannot have been."""
    table = table_of(hand)
    hand.app.scene = ReviewScene(table, recast(table.match, 1, ()), table)


@scene
def correct_review(hand: Hand) -> None:
    """Show a corrected roll after which all that follows still holds; one player has agreed."""
    table = table_of(hand)
    number = roll_of(table.match)
    roll = table.match.steps[number - 1]
    assert isinstance(roll, Roll)
    hand.app.scene = ReviewScene(table, recast(table.match, number, (Roll((2,) * len(roll.dice), roll.by),)), table)
    hand.app.touch(Intent("agree", "red", seat="red"))


@scene
def correct_present_empty(hand: Hand) -> None:
    """Nothing gathered yet."""
    table = table_of(hand, 30)
    hand.app.scene = StraightScene(table, table)


@scene
def correct_present_gathered(hand: Hand) -> None:
    """Show an area that was set by hand."""
    table = table_of(hand, 30)
    hand.app.scene = StraightScene(table, table)
    for intent in (Intent("area", "c4"), Intent("count", "black/troop", 1), Intent("record")):
        hand.app.touch(intent)


@scene
def score_now(hand: Hand) -> None:
    """Show a projection of the score in the middle of a game."""
    hand.app.scene = scored(table_of(hand, 30))


@scene
def score_final(hand: Hand) -> None:
    """Show the score at the end."""
    hand.app.scene = scored(table_of(hand))


@scene
def score_areas(hand: Hand) -> None:
    """Area by area."""
    hand.app.scene = scored(table_of(hand))
    hand.app.touch(Intent("areas"))


@scene
def score_by_hand(hand: Hand) -> None:
    """Ask who won."""
    found = scored(table_of(hand, 30))
    hand.app.scene = decide_scene(found.table, found)


@scene
def score_to_share(hand: Hand) -> None:
    """Show a code for BG Stats, and what else can be made."""
    equip(hand.app.stage, replays={"html": write_page, "gif": write_gif})
    table = table_of(hand)
    hand.app.scene = ShareScene(table, shareable_score(table), scored(table))


@scene
def score_from_a_picture(hand: Hand) -> None:
    """Show the ways to a picture."""
    table = table_of(hand, 0)
    hand.app.scene = PhotoScene(StillEye(), (table.match.board, None), table)


def read_picture(hand: Hand) -> None:
    """Read the first picture."""
    table = table_of(hand, 0)
    photo = PhotoScene(StillEye(), (table.match.board, None), table)
    hand.app.scene = photo
    photo.touch(Intent("now"))
    photo.wait()
    hand.app.tick(0.0)


@scene
def menu_of_a_game(hand: Hand) -> None:
    """Show the menu."""
    hand.app.scene = MenuScene(hand.app.stage, table_of(hand, 10))


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


@scene
def halves_sides(hand: Hand) -> None:
    """Each looks at a side in words."""
    in_halves(hand, 30)
    for seat, other in (("red", "red"), ("black", "red")):
        hand.app.touch(Intent("side", other, seat=seat))


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
