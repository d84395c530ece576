"""General Orders: one core for every mode; what differs between them is data."""
