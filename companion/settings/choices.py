"""What was chosen in the app, in a file of its own above the settings that people write by hand.

The file is written anew with each choice, in one go: the hand-written files keep their comments and are never touched.
To go back to what these say, choose "as in the file" in the app, or delete `chosen.toml`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.core import storage
from companion.core.errors import SettingsError
from companion.core.toml_values import toml_value
from companion.settings.layers import KEYS, Settings, layer, load_sound, plain

HEAD = """\
# Chosen in the app, and written anew with each choice.
# What you write by hand belongs into settings.toml; what stands here counts more. Delete this file to go back to that.
"""


class Choices:
    """The file of the app's choices."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep(self, settings: Settings, names: Iterable[str]) -> None:
        """Write these fields of the settings, beside what was chosen before; SettingsError where the disk refuses.

        A field that is None is forgotten. A file that is broken is kept aside first.
        """
        kept = self._read_saved()
        kept.update({name: getattr(settings, name) for name in names})
        named = {name: value for name, value in kept.items() if value is not None}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            storage.atomic_write(self.path, to_toml(named).encode())
        except OSError as error:
            raise SettingsError(f"{self.path}: can't be written ({error.strerror})") from error

    def forget(self) -> Settings:
        """Go back to what people wrote by hand, and read that; SettingsError where the disk refuses."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise SettingsError(f"{self.path}: can't be removed ({error.strerror})") from error
        return load_sound()[0]

    def _read_saved(self) -> dict[str, Any]:
        if not os.path.lexists(self.path):
            return {}
        try:
            return layer(self.path)
        except SettingsError:
            set_aside(self.path)
            return {}


def set_aside(path: Path) -> Path:
    """Rename a broken settings file to `FILE.broken-N`: the name it got. SettingsError where the disk refuses."""
    try:
        return storage.set_aside(path)
    except OSError as error:
        raise SettingsError(f"{path}: can't be set aside ({error.strerror})") from error


def to_toml(kept: Mapping[str, Any]) -> str:
    """Write the fields as a TOML file, in the order of KEYS."""
    lines = [f"{key} = {toml_value(plain(kept[name]))}" for key, (name, _reader) in KEYS.items() if name in kept]
    return "\n".join([HEAD, *lines, ""])
