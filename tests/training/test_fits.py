"""What training writes: logistic models behind rows of games and of scores, and networks as valid ONNX."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from PIL import Image

from engine.orders.player.evaluation import KNOTS, NAMES, load_weights
from training import player_fit, player_games
from training.fit_scores import Measures, fit_logistic
from training.model_file import halve, save
from training.player_fit import Rows, brier_score, calibration_error, draw, log_loss
from vision.onnx_model import OnnxModel


def rows_of(slopes: tuple[float, ...], count: int = 4000) -> list[tuple[Measures, bool]]:
    rng = np.random.default_rng(3)
    x = np.column_stack([np.ones(count), rng.normal(0, 1, (count, len(slopes) - 1))])
    right = rng.random(count) < 1 / (1 + np.exp(-(x @ np.array(slopes))))
    return [(tuple(row), bool(is_right)) for row, is_right in zip(x.tolist(), right, strict=True)]


def test_the_model_behind_the_rows_is_found_and_no_doubt_makes_anybody_surer() -> None:
    assert fit_logistic(rows_of((1.0, 2.0, -0.5))) == pytest.approx((1.0, 2.0, -0.5), abs=0.25)
    weights = fit_logistic(rows_of((1.0, 2.0, -0.5, 0.8)), lowering=(2, 3))
    assert weights[3] == 0
    assert weights[2] < -0.3


def made_up(slopes: tuple[float, ...], count: int = 6000) -> Rows:
    """Rows of a model whose weights are the same at all knots."""
    rng = np.random.default_rng(3)
    measures = np.column_stack([np.ones(count), rng.normal(0, 2, (count, len(slopes) - 1))])
    won = rng.random(count) < 1 / (1 + np.exp(-(measures @ np.array(slopes))))
    knots = rng.integers(0, len(KNOTS) - 1, count)
    outcome = won.astype(float)
    return Rows(measures, knots, rng.random(count), np.zeros(count), outcome, outcome, np.arange(count))


def test_the_weights_behind_positions_are_found() -> None:
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


def test_what_knowing_nothing_and_everything_costs_and_a_wrong_chance_shows() -> None:
    won = np.array([1.0, 0.0, 1.0, 1.0])
    assert (log_loss(np.full(4, 0.5), won), brier_score(np.full(4, 0.5), won)) == pytest.approx((np.log(2), 0.25))
    assert (log_loss(won, won), brier_score(won, won)) == pytest.approx((0.0, 0.0))
    chance = np.repeat([0.2, 0.8], 50)
    assert calibration_error(chance, np.tile([1.0, 0.0, 0.0, 0.0, 0.0], 20)) == pytest.approx(0.3)
    assert calibration_error(chance, (np.arange(100) % 5 < np.repeat([1, 4], 50)).astype(float)) == pytest.approx(0)


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
    panels = player_fit.held_out_chances(modes)
    assert [len(won) for _, won in panels.values()] == [len(rows.won) for rows in modes.values()]
    draw(tmp_path / "figure.png", panels)
    with Image.open(tmp_path / "figure.png") as figure:
        assert figure.size[0] > 400


def test_the_start_of_training_names_real_numbers() -> None:
    start = (Path(player_fit.__file__).parent / "player_start.toml").read_text(encoding="utf-8")
    named = [line.split('"')[1] for line in start.splitlines() if line.startswith('"')]
    assert set(named) < set(NAMES)
    assert len(load_weights("any")[0]) == len(NAMES)


SEEN = np.arange(6, dtype=np.float32).reshape(2, 3)
WEIGHT = np.array([[0.1, 1.0], [2.0, 3.0], [4.0, 5.0]], np.float32)


def model_of(
    weight: np.ndarray[tuple[int, ...], np.dtype[np.float32]], out: tuple[int, int] = (2, 2)
) -> onnx.ModelProto:
    """One matrix product."""
    seen = helper.make_tensor_value_info("seen", TensorProto.FLOAT, SEEN.shape)
    score = helper.make_tensor_value_info("score", TensorProto.FLOAT, out)
    node = helper.make_node("Gemm", ["seen", "weight"], ["score"])
    graph = helper.make_graph([node], "one", [seen], [score], [numpy_helper.from_array(weight, "weight")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)


def answer(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    (score,) = OnnxModel(path.read_bytes()).run({"seen": SEEN}, ["score"])
    return score


def test_half_floats_are_cast_where_floats_are_wanted(tmp_path: Path) -> None:
    model = model_of(WEIGHT)
    halve(model)
    with pytest.raises(onnx.shape_inference.InferenceError):
        onnx.checker.check_model(model, full_check=True)
    save(model, tmp_path / "one.onnx")
    written = onnx.load(tmp_path / "one.onnx")
    onnx.checker.check_model(written, full_check=True)
    assert [tensor.data_type for tensor in written.graph.initializer] == [TensorProto.FLOAT16]
    assert np.array_equal(answer(tmp_path / "one.onnx"), SEEN @ WEIGHT.astype(np.float16).astype(np.float32))


def test_a_file_written_again_is_the_same(tmp_path: Path) -> None:
    model = model_of(WEIGHT)
    halve(model)
    save(model, tmp_path / "one.onnx")
    save(onnx.load(tmp_path / "one.onnx"), tmp_path / "two.onnx")
    assert (tmp_path / "two.onnx").read_bytes() == (tmp_path / "one.onnx").read_bytes()


def test_what_is_no_valid_onnx_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(onnx.shape_inference.InferenceError):
        save(model_of(WEIGHT, out=(2, 5)), tmp_path / "one.onnx")
    assert not (tmp_path / "one.onnx").exists()
    save(model_of(WEIGHT), tmp_path / "one.onnx")
    assert [node.op_type for node in onnx.load(tmp_path / "one.onnx").graph.node] == ["Gemm"], "floats stay as they are"
    assert np.array_equal(answer(tmp_path / "one.onnx"), SEEN @ WEIGHT)
