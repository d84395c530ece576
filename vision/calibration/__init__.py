"""A table made of its pictures, and what is wrong with a picture before anybody relies on it.

In come photos of the empty board and of the start, the plan and perhaps corners; out come a `Table` and `Fault`s.
"""
