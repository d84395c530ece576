"""Reading a frame: which pieces stand on the board, how many in each area, and how sure that is.

In come a calibrated table and a frame of it; out comes a `Reading`: counts by area with probabilities, commanders by
action space. `read` is the way through; `network` finds pieces, `second_look` and `stacks` look again where that is in
doubt, `pieces` and `count` make probabilities of it. It knows no rules; `prior` and `experience` weigh in the game.
"""
