"""Arguments: questions to the rules, rulings with their reasons, and what players settle between them.

In: a table and a step or a question; out: the ruling with every criterion, or an agreed step in the record. What `ask`,
`questions`, `reasons`, `settle_map`, `step` and `whatif` do is General Orders' alone.
"""
