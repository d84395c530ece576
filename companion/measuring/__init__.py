"""Sonae as the companion has it: what the eye measured on the table, in the words of the rules."""
