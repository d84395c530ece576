"""A table made from its pictures, and what is wrong with a picture before anybody relies on it."""
