"""What a division's panel says of its units is what the rules' own list says, found with less work."""

from __future__ import annotations

from pathlib import Path

from companion.demo.sonae_player import SonaePlayer
from companion.scenes.sonae.together import ready_units
from engine.sonae.options import options
from tests.companion.other_games import begun

STEPS = 150
QUICK = ("charge", "fire", "rally")


def test_the_units_that_may_be_ordered_are_those_of_the_full_list(tmp_path: Path) -> None:
    match, player, asked = begun(tmp_path / "game.jsonl", "sonae", steps=0), SonaePlayer(5), 0
    for _step in range(STEPS):
        step = player.step(match.position)
        assert step is not None
        match.offer(step)
        full = options(match.position).units
        ready = ready_units(match.position)
        assert [(unit.unit, unit.may) for unit in ready] == [(unit.unit, bool(unit.may)) for unit in full]
        for brief, whole in zip(ready, full, strict=True):
            assert brief.quick == tuple(option for option in whole.may if option.kind in QUICK)
        asked += len(full)
    assert asked > STEPS
