"""Alt+letter for each choice: a letter of its own name, or one in brackets after Chinese."""

from __future__ import annotations

import re
import string


def assign(titles: list[str], taken: set[str]) -> list[str]:
    """Titles with `&` before a letter that nobody on the page has; `taken` grows.

    Once every letter is gone a title stays without one.
    """
    result = []
    for title in titles:
        plain = title.replace("&", "&&")
        place = next(
            (i for i, c in enumerate(plain) if c.isascii() and c.isalpha() and c.upper() not in taken), None
        )
        chinese = not title[:1].isascii()
        if place is not None and not chinese:
            taken.add(plain[place].upper())
            result.append(plain[:place] + "&" + plain[place:])
            continue
        letter = next((c for c in string.ascii_uppercase if c not in taken), "")
        taken.add(letter)
        result.append(f"{plain}(&{letter})" if letter else plain)
    return result


def letter(text: str) -> str:
    """The letter of a title; empty where it has none."""
    found = re.search(r"(?<!&)(?:&&)*&([^&\s])", text)
    return found[1].upper() if found else ""


def plain(text: str) -> str:
    """A title without its letter: for screen readers and lists."""
    return re.sub(r"\(&\w\)", "", text).replace("&&", "\0").replace("&", "").replace("\0", "&")
