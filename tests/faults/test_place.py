"""The drill's scratch folder: what an app that is started there knows, and what of this machine it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.drill.place import Place


def test_an_app_at_the_drill_has_folders_of_its_own_and_what_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNBAI_CAMERA", "7")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/home/owner/.config")
    monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    place = Place(tmp_path / "drill")
    plain, more = place.env(), place.env({"GUNBAI_DESK": "simulated", "SDL_VIDEODRIVER": "none"})
    assert "GUNBAI_CAMERA" not in plain
    assert plain["LANG"] == "pt_BR.UTF-8"
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "GUNBAI_DATA"):
        assert Path(plain[name]).is_relative_to(place.folder)
    assert more == {**plain, "GUNBAI_DESK": "simulated", "SDL_VIDEODRIVER": "none"}
