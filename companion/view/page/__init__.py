"""A screen laid out on pages and drawn: from a `Screen` to a sheet, from a sheet to pixels.

`layout` decides what goes where and how many pages it takes, `canvas` rasterises the sheet, `pictures` writes PNG
files.
"""
