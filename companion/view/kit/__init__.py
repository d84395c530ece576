"""What everything on the screen is drawn with: the sheet, sizes and colours, letters, signs.

A `Sheet` collects shapes, labels and targets in points, before there are pixels; a theme gives the colours, the glass
says how many pixels and millimetres a point has.
"""
