"""The tables of the help pages that are measured by the program itself."""
