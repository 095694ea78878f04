"""Import and export: model files, tables, part and price catalogues."""
