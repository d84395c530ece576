"""The fit of the player's evaluation: it finds what is behind rows, and its games are the same every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine.orders.player.evaluation import KNOTS, NAMES, load_weights
from training import player_fit, player_games
from training.player_fit import Rows, brier_score, calibration_error, draw, log_loss


def made_up(slopes: tuple[float, ...], count: int = 6000) -> Rows:
    """Rows of a model whose weights are the same at all knots."""
    rng = np.random.default_rng(3)
    measures = np.column_stack([np.ones(count), rng.normal(0, 2, (count, len(slopes) - 1))])
    won = rng.random(count) < 1 / (1 + np.exp(-(measures @ np.array(slopes))))
    knots = rng.integers(0, len(KNOTS) - 1, count)
    outcome = won.astype(float)
    return Rows(measures, knots, rng.random(count), np.zeros(count), outcome, outcome, np.arange(count))


def test_the_model_behind_the_rows_is_found() -> None:
    rows = made_up((0.5, 1.0, -0.5))
    weights = player_fit.fit(rows, np.zeros((len(KNOTS), 3)), 1.0)
    assert weights.mean(axis=0) == pytest.approx((0.5, 1.0, -0.5), abs=0.1)
    assert calibration_error(player_fit.chances(rows, weights), rows.won) < 0.03


def test_what_the_packaged_weights_say_already_is_not_learnt_again() -> None:
    rows = made_up((0.5, 1.0, -0.5))
    told = rows._replace(base=rows.measures @ np.array((0.5, 1.0, 0.0)))
    correction = player_fit.fit(told, np.zeros((len(KNOTS), 3)), 1.0)
    assert correction.mean(axis=0) == pytest.approx((0.0, 0.0, -0.5), abs=0.1)
    assert player_fit.chances(told, correction) == pytest.approx(
        player_fit.chances(rows, player_fit.fit(rows, np.zeros((len(KNOTS), 3)), 1.0)), abs=0.05
    )


def test_a_position_is_fitted_to_its_best_turn_and_to_what_came() -> None:
    """Two games; in the first the faction of the last two rows loses, and the other one moved before."""
    ahead, won = np.array([0.9, 0.4, 0.3, 0.6]), np.array([1.0, 0.0, 0.0, 1.0])
    game, to_move = np.array([1, 1, 1, 2]), np.array([0, 1, 1, 0], np.int8)
    assert player_fit.goals(ahead, won, game, to_move, 1.0) == pytest.approx(won)
    assert player_fit.goals(ahead, won, game, to_move, 0.0) == pytest.approx(ahead)
    # 0.15 is half of 0.3 and half of a loss, 0.275 half of 0.4 and half of that; then it is the other faction's
    goal = player_fit.goals(ahead, won, game, to_move, 0.5)
    assert goal == pytest.approx([0.45 + 0.5 * (1 - 0.275), 0.275, 0.15, 0.8])


def test_weights_are_held_where_there_is_little_to_learn() -> None:
    towards = np.full((len(KNOTS), 3), 2.0)
    weights = player_fit.fit(made_up((0.5, 1.0, -0.5), 20), towards, 1e6)
    assert weights == pytest.approx(towards, abs=0.05)


def test_a_wrong_chance_shows() -> None:
    chance = np.repeat([0.2, 0.8], 50)
    assert calibration_error(chance, np.tile([1.0, 0.0, 0.0, 0.0, 0.0], 20)) == pytest.approx(0.3)
    assert calibration_error(chance, (np.arange(100) % 5 < np.repeat([1, 4], 50)).astype(float)) == pytest.approx(0)


def test_what_knowing_nothing_and_everything_costs() -> None:
    won = np.array([1.0, 0.0, 1.0, 1.0])
    assert (log_loss(np.full(4, 0.5), won), brier_score(np.full(4, 0.5), won)) == pytest.approx((np.log(2), 0.25))
    assert (log_loss(won, won), brier_score(won, won)) == pytest.approx((0.0, 0.0))


def test_the_same_number_is_the_same_game(tmp_path: Path) -> None:
    first, second = (player_games.play("sengoku-rivers", 7) for _ in range(2))
    assert first == second
    assert first != player_games.play("sengoku-rivers", 8)
    rows, winner, number = first
    assert all(len(row.measures) == len(NAMES) for row in rows)
    assert (winner in (0, 1), number) == (True, 7)


@pytest.mark.long
def test_games_become_weights_and_a_figure(tmp_path: Path) -> None:
    boards = ("sengoku-rivers", "wwii-alpine")
    for board in boards:
        player_games.write_games(tmp_path / f"{board}-0.npz", board, range(5), 1)
    modes = {board: player_fit.read_rows([tmp_path / f"{board}-0.npz"], board) for board in boards}
    corrections = player_fit.fit_all(modes)
    assert set(corrections) == {"any", *boards}
    for mode, correction in corrections.items():
        assert player_fit.corrected(mode, correction) - correction == pytest.approx(np.array(load_weights(mode)))
    player_fit.write_weights(tmp_path / "any.toml", player_fit.corrected("any", corrections["any"]))
    assert (tmp_path / "any.toml").read_text().count("=") == len(NAMES)
    panels = player_fit.told(modes)
    assert [len(won) for _, won in panels.values()] == [len(rows.won) for rows in modes.values()]
    draw(tmp_path / "figure.png", panels)
    with Image.open(tmp_path / "figure.png") as figure:
        assert figure.size[0] > 400


def test_the_start_of_training_names_real_numbers() -> None:
    start = (Path(player_fit.__file__).parent / "player_start.toml").read_text(encoding="utf-8")
    named = [line.split('"')[1] for line in start.splitlines() if line.startswith('"')]
    assert set(named) < set(NAMES)
    assert len(load_weights("any")[0]) == len(NAMES)
