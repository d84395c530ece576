"""What every test stands on: no screen, no sound, no chance, and nothing of the user's own files."""

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from engine.ruling import use_edition

os.environ.update(
    SDL_VIDEODRIVER="dummy",
    SDL_AUDIODRIVER="dummy",
    PYGAME_HIDE_SUPPORT_PROMPT="1",
    OPENCV_FOR_THREADS_NUM="1",
    OMP_NUM_THREADS="1",
)
settings.register_profile("house", derandomize=True, deadline=None, database=None, print_blob=True)
settings.load_profile("house")


def pytest_collection() -> None:
    """Look for no garbage while tests are gathered: all of it stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Spare whoever looks for garbage the tests themselves, and all that they import: it stays to the end."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(autouse=True)
def english_edition() -> Iterator[None]:
    """Cite the English edition again after a test that cited another."""
    yield
    use_edition()


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """Let `os.fsync` refuse what is no open file, and wait for nothing: no test cuts the power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", os.fstat)
        yield


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Point the user's data, state, settings and cache folders at a temporary one."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DATA", "STATE", "CONFIG", "CACHE"):
            patch.setenv(f"XDG_{name}_HOME", str(tmp_path_factory.mktemp(name.lower())))
        yield
