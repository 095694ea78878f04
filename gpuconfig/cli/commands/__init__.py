"""One module a subcommand, each with `run(shell) -> Exit`."""
