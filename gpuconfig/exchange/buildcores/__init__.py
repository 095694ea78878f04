"""Importer of the BuildCores Open Database (ODC-By 1.0), behind validators for its known errors."""
