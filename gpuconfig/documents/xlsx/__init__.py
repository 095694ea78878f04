"""Renders a paper to a spreadsheet with typed cells and formulas."""
