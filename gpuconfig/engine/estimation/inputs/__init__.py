"""Inputs of the graphs: from a request to a table of named columns."""
