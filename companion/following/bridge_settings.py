"""The file that switches the bridge on: which broker, as whom, and what is told. Every fault names its key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from companion.core.errors import SettingsError
from intake.errors import Unreadable
from intake.files import read_file_or_pipe
from intake.toml_text import parse_toml

MOST_BYTES = 20_000
WORD = re.compile(r"[A-Za-z0-9_-]{1,40}")
PATH = re.compile(r"[A-Za-z0-9_-]{1,40}(/[A-Za-z0-9_-]{1,40}){0,4}")
HOST = re.compile(r"[A-Za-z0-9.:_-]{1,253}")


@dataclass(frozen=True, slots=True)
class BridgeSettings:
    """The settings of the bridge.

    broker: a name or an address; table: this table's name in topics; user, password: "" for none; tls: with the
    system's authorities, or that of ca; topics: what they begin with; home_assistant: where its discovery looks, "" for
    no discovery; names: whether the players' names are told.
    """

    broker: str
    port: int = 1883
    table: str = "table"
    user: str = ""
    password: str = ""
    tls: bool = False
    ca: str = ""
    topics: str = "gunbai"
    home_assistant: str = "homeassistant"
    names: bool = False


FORMS: Mapping[str, re.Pattern[str]] = {
    "broker": HOST,
    "table": WORD,
    "topics": PATH,
    "home_assistant": re.compile(f"(?:{PATH.pattern})?"),
}
KINDS: Mapping[str, type] = {"port": int, "tls": bool, "names": bool}


def read_settings(path: Path) -> BridgeSettings:
    """Read the settings in a file; SettingsError, naming file and key, for anything invalid."""
    try:
        told = parse_toml(read_file_or_pipe(path, MOST_BYTES).decode())
    except OSError as error:
        raise SettingsError(f"{path}: can't be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: not UTF-8 text") from error
    except Unreadable as error:
        raise SettingsError(f"{path}: {error}") from error
    if fault := next((f"{key}: {why}" for key, value in told.items() if (why := _fault(key, value))), ""):
        raise SettingsError(f"{path}: {fault}")
    if "broker" not in told:
        raise SettingsError(f"{path}: broker: is missing")
    return BridgeSettings(**told)


def _fault(key: str, value: Any) -> str:
    """Say what is wrong with a key's value; "" if nothing is."""
    known = [field.name for field in fields(BridgeSettings)]
    if key not in known:
        return f"no such key; there is {', '.join(known)}"
    kind = KINDS.get(key, str)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return f"expected {'a number' if kind is int else 'true or false' if kind is bool else 'a text'}"
    if isinstance(value, int) and key == "port" and not 0 < value < 65536:
        return "expected 1 to 65535"
    if key in FORMS and not FORMS[key].fullmatch(str(value)):
        return "expected letters, digits, - and _" if key != "broker" else "expected a name or an address"
    return ""
