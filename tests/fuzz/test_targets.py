"""Every reader, given a few hundred spoiled inputs: read, passed over or refused in a sentence, soon and in little."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module

import pytest

from tests.fuzz.child import KEPT, Job, kept
from tests.fuzz.runner import run
from tests.fuzz.targets import MODULES, NAMES, target_named

pytestmark = pytest.mark.long

FEW, LEAST = 120, 25


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_is_brought_in_breaks_a_reader(name: str) -> None:
    count = max(LEAST, round(FEW * target_named(name).share))
    tally = run(Job(name, "", count=count))
    assert not tally.findings, tally.findings
    assert tally.inputs > count, "the honest ones are read as well"
    assert tally.refused + tally.passed > 0, "nothing of it was refused: it tries nothing"
    assert tally.read > 0


def test_each_kept_input_belongs_to_a_target() -> None:
    assert {path.name for path in KEPT.iterdir()} <= set(NAMES)
    assert all(path.stat().st_size < 50_000 for name in NAMES for path in kept(name))


def test_targets_are_called_by_their_names() -> None:
    assert len(set(NAMES)) == len(NAMES)
    for module, names in MODULES.items():
        assert set(import_module(f"tests.fuzz.targets.{module}").TARGETS) == set(names)
    assert all(target_named(name).name == name for name in NAMES)


def test_the_modules_that_are_tried_are_there() -> None:
    for name in NAMES:
        assert all(import_module(module) for module in target_named(name).reads), name


PARSERS = frozenset({"files", "jpeg", "json_text", "pictures", "tar_file", "toml_text", "zip_file"})
ROOT = KEPT.parents[2]


def readers() -> Iterator[str]:
    """Every module that reads by the bottom room."""
    for room in ("engine", "vision", "hardware", "companion"):
        for path in sorted((ROOT / room).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
            if names & {f"intake.{parser}" for parser in PARSERS}:
                yield ".".join(path.relative_to(ROOT).with_suffix("").parts)


NO_READERS = {
    "companion.appliance.cards.preparing",  # copies files byte by byte
    "companion.perception.camera_watch",  # knows how much is read at once
    "companion.scenes.base.help",  # shows the package's own pictures
    "companion.scenes.table.ending",  # asks how old a game's file is
}


def test_every_module_that_reads_has_a_target() -> None:
    tried = {module for name in NAMES for module in target_named(name).reads}
    assert [module for module in readers() if module not in tried | NO_READERS] == []
