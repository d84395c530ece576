"""Buttons, lamps and serial devices beside a board, as one desk, whose sides are "one" and "two": no games here.

Presses and card codes come out as `events`, and `lights` go in; `device` is the interface that every device has. Only
`desk.open_desk` opens devices; importing this package touches no pin and no port.
"""
