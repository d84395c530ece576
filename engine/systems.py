"""The systems of rules by name, each loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import BadRequest
from engine.system import System


def _orders() -> System[Any, Any]:
    from engine.orders.answers import ORDERS

    return ORDERS


def _sonae() -> System[Any, Any]:
    from engine.sonae.answers import SONAE

    return SONAE


def _generals() -> System[Any, Any]:
    from engine.generals.wire import GENERALS

    return GENERALS


SYSTEMS: dict[str, Callable[[], System[Any, Any]]] = {"orders": _orders, "sonae": _sonae, "generals": _generals}
"""The function that loads each system, by the system's name."""
DEFAULT = "orders"
"""The system of a request that names none."""


def system_named(name: object) -> System[Any, Any]:
    """Return a system by its name; raise BadRequest for an unknown one."""
    if not isinstance(name, str) or name not in SYSTEMS:
        raise BadRequest(f"system: expected one of {', '.join(SYSTEMS)}")
    return SYSTEMS[name]()
