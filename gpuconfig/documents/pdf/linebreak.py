"""Where a line of mixed Chinese and Latin text may end (kinsoku and whole words).

Chinese breaks between any two characters, except before closing and after opening punctuation; Latin words and
numbers stay whole unless one alone is wider than the line, which then breaks after `/ - _ .` or, at worst, anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from gpuconfig.documents.content import Span, Text

CANNOT_START = frozenset(
    "，。、；：！？）》」』】〕〉”’…—–·％‰℃°",
) | frozenset(",.;:!?)]}%>ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々〜～￠／")
CANNOT_END = frozenset("（《「『【〔〈“‘([{<¥$￥€£#＃@")
SOFT_BREAKS = frozenset("/-_.?&=,;:+")
NO_BREAK_SPACE = "\u00a0"
RUN = 8
"""A headline's run of so many Chinese characters at most does not break."""
LONE = 2
"""A character with its closing mark."""
LONG_ENOUGH = 4
"""Pieces of a line that can spare one."""
LONG_WORD = 28
"""A word of more letters may break after its own punctuation even where it would fit on the next line."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one span on one line."""

    span: Span
    text: str
    width: float


@dataclass(frozen=True, slots=True)
class Line:
    """Pieces from left to right and their whole width."""

    pieces: tuple[Piece, ...]
    width: float


@dataclass(slots=True)
class _Atom:
    """What never breaks inside: pieces of (span, text), the space after it being separate."""

    parts: list[tuple[Span, str]]
    space: bool = False
    newline: bool = False


Measure = Callable[[str, Span], float]


def break_lines(
    content: Text, width: float, measure: Measure, *, cut_words: bool = True, whole_runs: bool = False
) -> tuple[Line, ...]:
    """`content` in lines of at most `width`; a space at a line's end is dropped. Never empty.

    Args:
        cut_words: without it a word wider than the line stays whole and sticks out: for measuring.
        whole_runs: short runs of Chinese stay whole too, as a headline's words should.
    """
    lines: list[list[_Atom]] = [[]]
    used = 0.0
    atoms = _atoms(content, RUN if whole_runs else 0)
    for atom in _fitting(atoms, width, measure) if cut_words else atoms:
        if atom.newline:
            _spare_single(lines, width, measure)
            lines.append([atom])
            used = 0.0
            continue
        size = _width(atom, measure)
        if used + size > width and _begun(lines[-1]) and not atom.space:
            lines.append([])
            used = 0.0
        if atom.space and not _begun(lines[-1]) and len(lines) > 1:
            continue
        lines[-1].append(atom)
        used += size
    _spare_single(lines, width, measure)
    return tuple(
        _line([part for atom in line if not atom.newline for part in atom.parts], measure) for line in lines
    )


def _begun(line: list[_Atom]) -> bool:
    return any(not atom.newline for atom in line)


def _width(atom: _Atom, measure: Measure) -> float:
    return sum(measure(part, span) for span, part in atom.parts)


def _spare_single(lines: list[list[_Atom]], width: float, measure: Measure) -> None:
    """A paragraph's last line is not one character alone, where the line before can spare another."""
    if len(lines) < 2 or len(lines[-1]) != 1 or lines[-1][0].newline:
        return
    (last,), before = lines[-1], lines[-2]
    ends_in_character = before and not (before[-1].space or before[-1].newline)
    if _letters(last) > LONE or sum(_begun([atom]) for atom in before) < LONG_ENOUGH or not ends_in_character:
        return
    if _is_wide(before[-1].parts[0][1][0]) and _width(before[-1], measure) + _width(last, measure) <= width:
        lines[-1].insert(0, before.pop())


def _letters(atom: _Atom) -> int:
    return sum(len(part) for _, part in atom.parts)


def can_break(before: str, after: str) -> bool:
    """Whether a line may end between two neighbouring characters."""
    if before == NO_BREAK_SPACE or after in (NO_BREAK_SPACE, " "):
        return False
    if before == " ":
        return True
    if after in CANNOT_START or before in CANNOT_END:
        return False
    return _is_wide(before) or _is_wide(after)


def _is_wide(character: str) -> bool:
    """Ideographs, kana, full-width forms: what breaks between any two."""
    code = ord(character)
    return (
        0x2E80 <= code <= 0xA4CF
        or 0xAC00 <= code <= 0xD7A3
        or 0xF900 <= code <= 0xFAFF
        or 0xFE30 <= code <= 0xFE4F
        or 0xFF00 <= code <= 0xFFEF
        or code >= 0x20000
    )


def _atoms(content: Text, run: int = 0) -> Iterator[_Atom]:
    """Cut the whole text, across spans, at every place where a line may end; not in runs of at most `run`."""
    if run:
        yield from _joined(_atoms(content), run)
        return
    atom = _Atom([])
    previous = ""
    for span in content:
        start = 0
        for index, character in enumerate(span.text):
            cut = bool(previous) and (
                can_break(previous, character) or character in " \n" or previous in " \n"
            )
            if cut:
                if start < index:
                    atom.parts.append((span, span.text[start:index]))
                if atom.parts:
                    yield _marked(atom)
                atom, start = _Atom([]), index
            previous = character
        if start < len(span.text):
            atom.parts.append((span, span.text[start:]))
    if atom.parts:
        yield _marked(atom)


def _joined(atoms: Iterator[_Atom], run: int) -> Iterator[_Atom]:
    """Neighbouring Chinese characters as one atom, where they are not too many and no mark stands between."""
    for is_run, group in groupby(atoms, key=_is_bare_character):
        found = list(group)
        if is_run and len(found) <= run:
            yield _Atom([part for atom in found for part in atom.parts])
        else:
            yield from found


def _is_bare_character(atom: _Atom) -> bool:
    return _letters(atom) == 1 and _is_wide(atom.parts[0][1])


def _marked(atom: _Atom) -> _Atom:
    joined = "".join(part for _, part in atom.parts)
    atom.newline = joined == "\n"
    atom.space = not atom.newline and not joined.strip(" ")
    return atom


def _fitting(atoms: Iterator[_Atom], width: float, measure: Measure) -> Iterator[_Atom]:
    """Atoms, those wider than a line or very long cut into smaller ones."""
    for atom in atoms:
        letters = _letters(atom)
        if letters == 1 or atom.space or atom.newline:
            yield atom
            continue
        size = _width(atom, measure)
        if size <= width and letters <= LONG_WORD:
            yield atom
        else:
            yield from _cut(atom, width, measure)


def _cut(atom: _Atom, width: float, measure: Measure) -> Iterator[_Atom]:
    """Cut at soft places; a piece still wider than the line is cut into single characters."""
    for span, part in atom.parts:
        start = 0
        for index, character in enumerate(part):
            soft = character in SOFT_BREAKS and index + 1 < len(part) and part[index + 1] not in CANNOT_START
            if soft or index + 1 == len(part):
                piece = part[start : index + 1]
                start = index + 1
                if measure(piece, span) <= width:
                    yield _Atom([(span, piece)])
                else:
                    yield from (_Atom([(span, letter)]) for letter in piece)


def _line(parts: Sequence[tuple[Span, str]], measure: Measure) -> Line:
    """Merge neighbours of the same span and drop spaces at the end."""
    merged: list[tuple[Span, str]] = []
    for span, part in parts:
        if merged and merged[-1][0] is span:
            merged[-1] = (span, merged[-1][1] + part)
        else:
            merged.append((span, part))
    while merged and not merged[-1][1].rstrip(" "):
        merged.pop()
    if merged:
        merged[-1] = (merged[-1][0], merged[-1][1].rstrip(" "))
    pieces = tuple(Piece(span, part, measure(part, span)) for span, part in merged)
    return Line(pieces, sum(piece.width for piece in pieces))
