"""Every rule in the order it is shown."""

from __future__ import annotations

from gpuconfig.engine.compatibility import (
    bridges,
    cables,
    clearance,
    completeness,
    connectors,
    cooling,
    host,
    mechanics,
    memory,
    network,
    noise,
    pcie,
    power,
    purchase,
    risers,
    sharing,
)
from gpuconfig.engine.compatibility.rule import Rule, rules_of

RULES_IN_ORDER: tuple[Rule, ...] = rules_of(
    memory,
    network,
    mechanics,
    clearance,
    pcie,
    bridges,
    sharing,
    risers,
    cables,
    power,
    connectors,
    cooling,
    noise,
    host,
    completeness,
    purchase,
)
