"""Where the board lies in a picture.

`find_board` finds its corners in a picture of the empty board, `align` lays the drawn plan on the print, `register`
says how a later frame lies to the reference. Out come corners and homographies.
"""
