"""Games kept in a file: played once, told together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from benchmarks import fairness, players
from benchmarks.kept import Kept


class Games:
    """Plays games of which the figures are their numbers, and remembers which."""

    def __init__(self) -> None:
        self.played: list[int] = []

    def __call__(self, numbers: Sequence[int]) -> Iterator[int]:
        for number in numbers:
            self.played.append(number)
            yield 10 * number


def test_a_run_goes_on_where_another_ended(tmp_path: Path) -> None:
    games, path = Games(), tmp_path / "games.jsonl"
    assert Kept(path, int, str).play("chess", range(1, 3), games) == [10, 20]
    assert Kept(path, int, str).play("go", [1], games) == [10], "another game's numbers are its own"
    assert Kept(path, int, str).play("chess", range(2, 5), games) == [10, 20, 30, 40]
    assert games.played == [1, 2, 1, 3, 4]
    assert Kept(path, int, str).play("chess", [], games) == [10, 20, 30, 40]


def test_without_a_file_nothing_is_kept() -> None:
    games = Games()
    assert [Kept(None, int, str).play("chess", [1], games) for _ in range(2)] == [[10], [10]]
    assert games.played == [1, 1]


LADDER = ["--pair", "greedy:random", "--games", "2", "--processes", "1"]
FAIRNESS = ["--player", "random", "--games", "2"]


@pytest.mark.parametrize(
    "run",
    [(players.main, LADDER, "greedy : random   all"), (fairness.main, FAIRNESS, "sengoku-rivers: 2 games")],
    ids=["ladder", "fairness"],
)
def test_what_is_kept_is_told_again(
    run: tuple[Callable[[], None], list[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    main, arguments, line = run
    where = ["--board", "sengoku-rivers", "--keep", str(tmp_path / "games.jsonl")]
    monkeypatch.setattr("sys.argv", ["benchmark", *arguments, *where])
    main()
    first = capsys.readouterr().out
    main()
    assert capsys.readouterr().out == first
    assert line in first
