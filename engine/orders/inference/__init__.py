"""Which legal turns explain what is seen, by Bayes' rule, and the nearest legal board where none does."""
