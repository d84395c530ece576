"""The rules: pure values on the standard library alone, with no clock, no chance and no files but their own data."""
