"""Where a figure comes from: evidence, bands, explanations, messages and errors for people."""
