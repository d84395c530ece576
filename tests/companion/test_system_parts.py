"""What each system gives is what the rooms that ask for it expect: mypy compares the types, pytest the values."""

from __future__ import annotations

from typing import Generic, TypeVar

import pytest

from companion.demo import generals_player, show, sonae_player
from companion.demo.game_demo import DEMOS
from companion.games import generals as generals_records
from companion.games import orders as orders_records
from companion.games import sonae as sonae_records
from companion.games.match import SESSIONS, GameSession, Match
from companion.games.saved.statistics import COURSE_PORTRAITS, STATISTICS
from companion.games.summary import SYSTEM_RECORDS
from companion.scenes.generals import lessons as generals_lessons
from companion.scenes.generals import presenter as generals_presenter
from companion.scenes.generals import setup as generals_setup
from companion.scenes.generals.score import DuelReview
from companion.scenes.generals.setup import DuelSetupScene
from companion.scenes.generals.table import DuelTable
from companion.scenes.home.home import SETUPS
from companion.scenes.learn.lesson import SYSTEM_TUTORIALS
from companion.scenes.learn.practice import PracticeScene
from companion.scenes.review.log import REVIEWS
from companion.scenes.review.looking_back import PRACTICES, ReviewedGame
from companion.scenes.setup import lessons as orders_lessons
from companion.scenes.setup import setup as orders_setup
from companion.scenes.setup.setup import SetupScene
from companion.scenes.sonae import lessons as sonae_lessons
from companion.scenes.sonae import presenter as sonae_presenter
from companion.scenes.sonae import setup as sonae_setup
from companion.scenes.sonae.score import BattleReview
from companion.scenes.sonae.table import BattleTable
from companion.scenes.story.tables import PORTRAITS
from companion.scenes.systems import TABLES
from companion.scenes.table import orders_presenter
from companion.scenes.table.ending import REMATCHES
from companion.scenes.table.solo_table import orders_table
from companion.systems.game_system import Slot, game_system
from companion.terminal import generals as generals_report
from companion.terminal import orders as orders_report
from companion.terminal import sonae as sonae_report
from companion.terminal.reports import REPORTS
from engine.systems import SYSTEMS

T = TypeVar("T")


class Given(Generic[T]):
    """What all systems give for one slot."""

    def __init__(self, slot: Slot[T]) -> None:
        self._given = {name: slot.of(name) for name in SYSTEMS if slot.is_filled(name)}

    def assert_is(self, **parts: T) -> None:
        """Assert that these systems give these parts, and no other system gives any."""
        assert self._given == parts


def test_what_is_kept_of_games() -> None:
    Given(SESSIONS).assert_is(orders=Match, generals=GameSession, sonae=GameSession)
    Given(STATISTICS).assert_is(orders=orders_records.statistics)
    Given(SYSTEM_RECORDS).assert_is(
        orders=orders_records.RECORDS,
        generals=generals_records.RECORDS,
        sonae=sonae_records.RECORDS,
    )


def test_what_is_shown_away_from_the_table() -> None:
    orders, generals, sonae = orders_presenter.PORTRAIT, generals_presenter.PORTRAIT, sonae_presenter.PORTRAIT
    Given(PORTRAITS).assert_is(orders=orders, generals=generals, sonae=sonae)
    Given(COURSE_PORTRAITS).assert_is(orders=orders, generals=generals, sonae=sonae)
    Given(REPORTS).assert_is(orders=orders_report.REPORT, generals=generals_report.REPORT, sonae=sonae_report.REPORT)
    Given(DEMOS).assert_is(orders=show.DEMO, generals=generals_player.DEMO, sonae=sonae_player.DEMO)
    Given(SYSTEM_TUTORIALS).assert_is(
        orders=orders_lessons.TUTORIALS,
        generals=generals_lessons.TUTORIALS,
        sonae=sonae_lessons.TUTORIALS,
    )


def test_the_scenes_of_a_game() -> None:
    Given(SETUPS).assert_is(orders=SetupScene, generals=DuelSetupScene, sonae=sonae_setup.BattleSetupScene)
    Given(TABLES).assert_is(orders=orders_table, generals=DuelTable, sonae=BattleTable)
    Given(REVIEWS).assert_is(orders=ReviewedGame, generals=DuelReview, sonae=BattleReview)
    Given(PRACTICES).assert_is(orders=PracticeScene)
    Given(REMATCHES).assert_is(
        orders=orders_setup.rematch,
        generals=generals_setup.rematch,
        sonae=sonae_setup.rematch,
    )


def test_a_part_that_a_system_does_not_have() -> None:
    with pytest.raises(ValueError, match="sonae has no practice"):
        PRACTICES.of("sonae")


@pytest.mark.parametrize("name", list(SYSTEMS))
def test_a_system_is_called_as_the_engine_calls_it(name: str) -> None:
    assert game_system(name).name == name


def test_there_is_no_other_system() -> None:
    with pytest.raises(KeyError, match="chess"):
        game_system("chess")
