"""Numbers as people write them: shares and chances in whole percent, none rounded to a certainty."""

from __future__ import annotations

from fractions import Fraction

from companion.core.language import _


def percent(share: float) -> str:
    """Return how sure something is in percent, rounded down.

    >>> percent(0.5), percent(0.999), percent(1.0)
    ('50%', '99%', '100%')
    """
    return f"{int(share * 100 + 1e-9)}%"  # 0.29 * 100 is 28.999…


def chance_percent(chance: Fraction | float) -> str:
    """Return a chance of the dice in percent, to the nearest.

    What is possible is never 0%, what is uncertain never 100%.

    >>> chance_percent(Fraction(2, 3)), chance_percent(Fraction(1, 1296)), chance_percent(Fraction(1295, 1296))
    ('67%', '< 1%', '> 99%')
    """
    n = "< 1" if 0 < chance < 0.01 else "> 99" if 0.99 < chance < 1 else round(100 * chance)
    return _("{n}%").format(n=n)
