"""Qt-free presentation: the wizard's flow as data, rows, columns, chart series, explanations, badges."""
