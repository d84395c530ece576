"""Tests of the self-check's looks at the machine."""
