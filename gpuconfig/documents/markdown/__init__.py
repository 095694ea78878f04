"""Renders a paper to Markdown."""
