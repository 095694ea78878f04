"""Candidates, strategy search, bill-of-materials composer, Pareto front, ranking and sensitivity."""
