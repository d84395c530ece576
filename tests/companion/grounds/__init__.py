"""Tests of the painted grounds of maps."""
