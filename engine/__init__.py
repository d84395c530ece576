"""The rules of three systems of games, judged, carried out and explained.

In come positions, steps and requests as values or JSON; out go new positions, rulings with citations, and what the
table owes. All values are frozen. There is no clock, no chance, no thread and no file but the rules' own data, and no
package but the standard library: dice and draws are reported by the players.
"""
