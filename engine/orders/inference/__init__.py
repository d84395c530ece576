"""Which legal turns explain what is seen on the table, by Bayes' rule.

In come a position and what was counted, or an eye's probabilities (`evidence`); out come turns with their likelihood,
most likely first (`infer`), and where none fits the nearest legal board and how to get there (`repair`). Scores are
natural logarithms throughout.
"""
