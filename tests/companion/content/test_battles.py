"""Owners' battles of Sonae: their shelf, its command, and files of strangers."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli import main
from companion.content.battles import BATTLES
from engine.sonae.scenario import load_scenario, scenario_names
from tests.engine.sonae.case import scenario_text

TEXT = scenario_text().replace('known = "practice"', 'known = "owner"')


def test_a_shelf_that_is_not_there_is_empty() -> None:
    assert BATTLES.register().things == ()


def test_battles_are_made_known_and_broken_files_are_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = data / "scenarios"
    folder.mkdir()
    (folder / "hills.toml").write_text(TEXT)
    (folder / "broken.toml").write_text(TEXT.replace("x = 28\n", "x = 31\n"))
    (folder / "claims.toml").write_text(scenario_text())
    (folder / "maru-shikaku.toml").write_text(TEXT)
    (folder / "noise.toml").write_bytes(b"\xff\xfe")
    known = BATTLES.register()
    assert [battle.name for battle in known.things] == ["hills"]
    assert load_scenario("hills").title == "A field for tests"
    told = {path.name: why for path, why in known.broken}
    assert set(told) == {"broken.toml", "claims.toml", "maru-shikaku.toml", "noise.toml"}
    assert "units.ito-gun: begins off the table, which is 30 by 30" in told["broken.toml"]
    assert told["claims.toml"].endswith('known: a battle of your own is "owner", not "practice"')
    assert "comes with Gunbai" in told["maru-shikaku.toml"]
    assert main(["battles"]) == 0
    out, err = capsys.readouterr()
    assert "hills (A field for tests): Ito (2 divisions) against Oda (2 divisions), 12 units; an owner's" in out
    assert out.count("not read:") == err.count("gunbai:") == 4
    (folder / "hills.toml").unlink()
    BATTLES.register()
    assert scenario_names() == ("maru-shikaku",)


def test_the_command(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = data / "hills.toml"
    mine.write_text(TEXT)
    assert main(["battles", "--check", str(mine)]) == 0
    assert main(["battles", "--add", str(mine)]) == 0
    assert main(["battles", "--add", str(mine)]) == 2
    assert main(["battles", "--share", "hills", "-o", str(data / "copy.toml")]) == 0
    assert (data / "copy.toml").read_text() == TEXT
    assert main(["battles", "--share", "hills"]) == 2
    assert main(["battles", "--remove", "hills"]) == 0
    assert main(["battles", "--remove", "hills"]) == 2
    assert not BATTLES.path_of("hills").exists()
    mine.write_text(TEXT.replace('kind = "hill"', 'kind = "moat"').replace("[types.normal]\n", ""))
    assert main(["battles", "--check", str(mine)]) == 2
    assert "ground.hill.kind: 'moat' is none of" in capsys.readouterr().err
