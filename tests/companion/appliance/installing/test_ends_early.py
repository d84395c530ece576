"""An installation that ends early leaves what worked."""

from pathlib import Path

import pytest

from companion.appliance import host as hosts
from companion.appliance import installing, machine, running
from companion.appliance.host import Action, RunResult, carry_out
from companion.core.errors import ApplianceError
from tests.companion.appliance.machines import (
    Forgetful,
    PowerCut,
    Rehearsed,
    install,
    make_tree,
    state_of,
    stopped_after,
    works,
)


def planned(host: Rehearsed, tree: Path) -> list[Action]:
    newcomer = installing.of_tree(tree, host.layout)
    return installing.plan_installation(host, machine.look(host.layout), newcomer, begin=True)


DEEDS = 10


def test_the_number_of_deeds_is_the_one_that_is_tried(host: Rehearsed, tree: Path) -> None:
    assert len(planned(host, tree)) == DEEDS


@pytest.mark.parametrize("number", range(1, DEEDS + 1))
def test_a_first_installation_that_fails_leaves_nothing(host: Rehearsed, tree: Path, root: Path, number: int) -> None:
    before = state_of(root)
    with pytest.raises(ApplianceError, match="by request"):
        carry_out(planned(host, tree), stopped_after(number, ApplianceError("by request")))
    assert state_of(root) == before


@pytest.mark.parametrize("number", range(1, DEEDS + 1))
def test_a_second_one_that_fails_leaves_the_first(host: Rehearsed, tree: Path, root: Path, number: int) -> None:
    install(host)
    before, old = state_of(root), works(host.layout)
    make_tree(tree, "1.1.0")
    with pytest.raises(ApplianceError, match="by request"):
        carry_out(planned(host, tree), stopped_after(number, ApplianceError("by request")))
    assert state_of(root) == before
    assert works(host.layout) == old


@pytest.mark.parametrize("number", range(1, DEEDS + 1))
def test_after_a_power_cut_one_of_both_works_and_a_new_try_ends_well(
    host: Rehearsed, tree: Path, root: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(host)
    old = works(host.layout)
    new = installing.of_tree(make_tree(tree, "1.1.0"), host.layout).name
    monkeypatch.setattr(hosts, "ExitStack", Forgetful)
    with pytest.raises(PowerCut):
        carry_out(planned(host, tree), stopped_after(number, PowerCut()))
    assert works(host.layout) in (old, new)
    monkeypatch.undo()
    monkeypatch.setattr(running, "ROOT", tree)
    assert install(host, "--anyway") == 0
    assert works(host.layout) == new


def test_what_runs_goes_on_where_a_new_one_does_not_start(host: Rehearsed, tree: Path) -> None:
    install(host)
    old = works(host.layout)
    make_tree(tree, "1.1.0")
    host.ran.clear()
    host.answers["systemctl start gunbai.service"] = RunResult(1, "timeout")
    with pytest.raises(ApplianceError, match="doesn't start"):
        install(host)
    assert works(host.layout) == old
    assert host.ran[-1] == "systemctl start gunbai-backup.timer gunbai.service"


def test_what_starts_and_falls_again_does_not_count_as_started(host: Rehearsed, tree: Path) -> None:
    host.answers["ActiveState,NRestarts"] = RunResult(0, "ActiveState=activating\nNRestarts=1\n")
    with pytest.raises(ApplianceError, match="doesn't start"):
        install(host)
    assert works(host.layout) == ""


def test_an_environment_that_cannot_be_made_is_told(host: Rehearsed, tree: Path, root: Path) -> None:
    before = state_of(root)
    host.answers["gunbai --version"] = RunResult(2, "gunbai: no network\n")
    with pytest.raises(ApplianceError, match="no network"):
        install(host)
    assert state_of(root) == before


def test_a_release_that_does_not_play_is_not_used(host: Rehearsed, tree: Path, root: Path) -> None:
    before = state_of(root)
    host.answers["demo --headless"] = RunResult(1, "Traceback\nValueError: nine\n")
    with pytest.raises(ApplianceError, match="doesn't run: ValueError: nine"):
        install(host)
    assert state_of(root) == before


def test_somebody_elses_file_is_left_alone(host: Rehearsed, tree: Path, root: Path) -> None:
    (root / "usr/local/bin").mkdir(parents=True)
    (root / "usr/local/bin/gunbai").write_text("another program")
    before = state_of(root)
    with pytest.raises(ApplianceError, match="usr/local/bin/gunbai: Gunbai didn't make this file"):
        install(host)
    assert state_of(root) == before


def test_links_that_only_an_older_release_had_go(host: Rehearsed, tree: Path, root: Path) -> None:
    (tree / "systemd/units/gunbai-old.service").write_text("[Unit]\n")
    install(host)
    (tree / "systemd/units/gunbai-old.service").unlink()
    make_tree(tree, "1.1.0")
    assert (root / "etc/systemd/system/gunbai-old.service").is_symlink()
    install(host)
    assert not (root / "etc/systemd/system/gunbai-old.service").is_symlink()


def test_the_games_are_copied_before_another_release_takes_over(
    host: Rehearsed, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = "gunbai backup --to"
    install(host)
    install(host)
    assert not host.asked(copied), "no other release came"
    first = works(host.layout)
    monkeypatch.setattr(running, "ROOT", make_tree(tree.parents[1] / "newer" / "tree", "1.1.0"))
    host.answers[copied] = RunResult(1, "no room")
    with pytest.raises(ApplianceError, match="can't copy the saved games, so nothing was changed: no room"):
        install(host)
    assert works(host.layout) == first
    packages = host.layout.releases / first / ".venv/lib/python3.2"
    packages.mkdir(parents=True)
    assert install(host) == 0, "the first one no longer runs, as it was made for another Python"
    assert works(host.layout).startswith("1.1.0")


def test_at_most_two_releases_are_kept(host: Rehearsed, tree: Path) -> None:
    for version in ("1.0.0", "1.1.0", "1.2.0"):
        make_tree(tree, version)
        install(host)
    (host.layout.releases / "mine").mkdir()
    install(host)
    kept = sorted(path.name.partition("-")[0] for path in host.layout.releases.iterdir())
    assert kept == ["1.1.0", "1.2.0", "mine"]
