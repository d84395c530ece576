"""Sheen: a colour that is lighter at the top of a shape than at its foot, as SVG."""

from __future__ import annotations


def gradient(top: str, low: str) -> str:
    """Return the SVG definition of a sheen from one colour at the top of a shape to another at its foot."""
    return (
        f'<linearGradient id="{_name(top, low)}" x1="0%" y1="0%" x2="0%" y2="100%">'
        f'<stop offset="0" stop-color="{top}"/><stop offset="1" stop-color="{low}"/></linearGradient>'
    )


def gradient_name(top: str, low: str) -> str:
    """Return what fills a shape with that sheen."""
    return f"url(#{_name(top, low)})"


def _name(top: str, low: str) -> str:
    return f"s{top[1:]}{low[1:]}"
