"""The user's own catalogue: forms, imports, measurements, price refresh, and the history that undoes them."""
