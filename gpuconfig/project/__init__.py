"""The saved document: request, decisions, options, frozen prices; commands and undo."""
