"""Communication between accelerators: links, collectives, and what each kind of parallelism moves."""
