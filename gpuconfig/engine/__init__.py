"""The pure engine: no Qt, SQL, files, clock or network; today's date is a parameter."""
