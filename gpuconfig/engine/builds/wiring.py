"""Cables between racks: how long they must be, and how many links copper reaches."""

from __future__ import annotations


def cable_between_racks_mm(racks: int, pitch_mm: float, rise_mm: float) -> float:
    """Length in mm from switches in the middle of a row of racks to its end.

    Args:
        pitch_mm: way along the row from one rack to the next.
        rise_mm: what a cable takes beside that: up to the tray, down again, slack.
    """
    return rise_mm + pitch_mm * racks / 2


def links_in_reach(links: int, switch_links: int, reached: int) -> int:
    """Links from machines to switches that copper reaches, where each switch stands in the middle of its machines.

    Args:
        links: all of them.
        switch_links: links one switch takes from machines.
        reached: links of the machines that stand near enough to one switch.
    """
    full, rest = divmod(links, switch_links)
    return full * min(switch_links, reached) + min(rest, reached)
