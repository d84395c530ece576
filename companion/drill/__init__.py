"""The fault drill: what may go wrong at a table, done to the real app in a scratch folder (docs/measurements.md)."""
