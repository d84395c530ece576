"""Tests of the health check's looks at the machine."""
