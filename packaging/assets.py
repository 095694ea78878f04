"""Build what is not committed: fonts, compiled translations and the catalogue, into build/assets."""
