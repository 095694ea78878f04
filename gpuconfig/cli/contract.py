"""Recommendations as the contract's JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.compatibility.finding import CheckResult, Finding
from gpuconfig.engine.estimation.answer import contract
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.quantities.money import Money, MoneyRange
from gpuconfig.engine.selection.composer.need import NoBuild
from gpuconfig.engine.selection.composer.upgrade import Upgrade
from gpuconfig.engine.selection.recommendation import (
    CostOfOwnership,
    Nothing,
    Option,
    OptionKind,
    OptionPrice,
    Recommendation,
    Rejected,
)

Say = Callable[[Message], str]
CENT = Decimal("0.01")


def recommendation_contract(answer: Recommendation, say: Say) -> dict[str, Any]:
    """The contract's answer of `recommend`: no more options than were asked for, a rental beside them by itself."""
    smallest = answer.smallest_budget_that_works
    placed = answer.options[: answer.asked]
    beside = answer.options[len(placed) :]
    return {
        "id": answer.id,
        "options": [_option(o, say) for o in placed],
        "rental": next((_option(o, say) for o in beside), None),
        "do_nothing": None if answer.nothing is None else _nothing(answer.nothing, say),
        "rejected": [_rejected(r, say) for r in answer.rejected],
        "smallest_budget_that_works": None
        if smallest is None
        else {
            **_money(smallest.amount),
            "build": _build(smallest.option.build),
            "option": _option(smallest.option, say),
        },
        "with_used_parts": None
        if answer.with_used_parts is None
        else {
            **_money(answer.with_used_parts.price.planned().rounded()),
            "option": _option(answer.with_used_parts, say),
        },
        "searched": {"strategies": answer.strategies, "seconds": round(answer.seconds, 3)},
        "assumptions": contract(answer.assumptions, say),
        "warnings": contract(answer.warnings, say),
        "notes": contract(answer.notes, say),
        "versions": dict(answer.versions),
    }


def check_contract(result: CheckResult, say: Say) -> dict[str, Any]:
    """The contract's answer of `check`."""
    return {
        "verdict": result.verdict.value,
        "findings": [_finding(f, say) for f in result.findings],
        "not_checked": [
            {"rule": n.rule, "title": say(n.title), "missing": list(n.missing)} for n in result.not_checked
        ],
        "parts": [
            {"kind": kind, "name": name, "id": item, "matched": sure}
            for kind, name, item, sure in result.parts
        ],
        "power": contract(result.power, say),
        "thermal": contract(result.thermal, say),
        "pcie": contract(result.pcie, say),
        "assumptions": contract(result.assumptions, say),
    }


def upgrade_contract(answer: Upgrade | NoBuild, say: Say) -> dict[str, Any]:
    """What stays, what is bought and left over, or the rule that forbids it."""
    if isinstance(answer, NoBuild):
        reason = {"rule": answer.rule, "message": say(answer.message), "unit": answer.unit}
        return {"possible": False, **reason, "measured": answer.measured, "required": answer.required}
    return {
        "possible": True,
        "keep": [_line(line) for line in answer.kept],
        "buy": [_line(line) for line in answer.bought],
        "left_over": [_line(line) for line in answer.left_over],
        "price": {
            **_money(answer.total.middle),
            **_range(answer.total.total),
            "assumed_share": round(answer.total.assumed_share, 3),
        },
        "check": check_contract(answer.check, say),
    }


def _option(option: Option, say: Say) -> dict[str, Any]:
    return {
        "rank": option.rank,
        "kind": option.kind.value,
        "why": contract(option.why, say),
        "loses_because": contract(option.loses_because, say),
        "flips_if": contract(option.flips_if, say),
        "accelerator": option.accelerator.id,
        "count": option.count,
        "nodes": option.nodes,
        "parallelism": contract(option.parallelism, say),
        "estimate": contract(option.estimate, say),
        "build": _build(option.build),
        "findings": [] if option.check is None else [_finding(f, say) for f in option.check.findings],
        "not_checked": [] if option.check is None else check_contract(option.check, say)["not_checked"],
        "price": _price(option.price),
        "tco": None if option.tco is None else _tco(option.tco),
        "risk": None if option.risk is None else round(option.risk, 4),
        "risk_parts": contract(option.risk_parts, say),
        "premium": round(option.premium, 4),
        "premium_parts": contract(option.premium_parts, say),
        "pareto": option.pareto,
        "within_budget": option.within_budget,
        "meets_target": option.meets_target,
        "leaner": dict(option.leaner),
    }


def _nothing(nothing: Nothing, say: Say) -> dict[str, Any]:
    return {
        "rank": nothing.rank,
        "kind": OptionKind.KEEP.value,
        "why": contract(nothing.why, say),
        "loses_because": contract(nothing.loses_because, say),
        "flips_if": contract(nothing.flips_if, say),
        "price": _price(nothing.price),
        "tco": _tco(nothing.tco),
        "within_budget": nothing.within_budget,
        "meets_target": nothing.meets_target,
    }


def _price(price: OptionPrice) -> dict[str, Any]:
    return {
        **_money(price.planned()),
        **_range(price.total),
        "assumed_share": round(price.assumed_share, 4),
        "oldest_date": price.oldest_date,
        "tax_included": price.tax_included,
        "missing": list(price.missing),
    }


def _tco(tco: CostOfOwnership) -> dict[str, Any]:
    return {
        "years": tco.years,
        **_money(tco.planned()),
        **_range(tco.total),
        "electricity": _range(tco.electricity),
        "resale": _range(tco.resale),
        "energy_kwh": tco.energy_kwh.contract(),
        "per_month": None if tco.per_month is None else _money(tco.per_month),
        "parts": {name: _range(value) for name, value in tco.parts.items()},
        "lines": [
            {"name": line.name, **_money(line.middle), **_range(MoneyRange(line.low, line.high))}
            for line in tco.lines
        ],
    }


def _build(build: Build | None) -> dict[str, Any] | None:
    if build is None:
        return None
    return {
        "name": build.name,
        "nodes": build.nodes,
        "lines": [_line(line) for line in build.lines],
        "shared": [_line(line) for line in build.shared],
    }


def _line(line: BomLine) -> dict[str, Any]:
    offer = line.offer
    return {
        "kind": line.kind.value,
        "id": line.item.id,
        "name": line.item.name,
        "part_number": line.item.part_number,
        "quantity": line.quantity,
        "slot": list(line.slot),
        "power_limit_w": line.power_limit_w,
        "reused": line.reused,
        "price": None if line.price is None else {**_money(line.price.middle()), **_range(line.price)},
        "converted": line.converted,
        "offer": None
        if offer is None
        else {
            "low": str(offer.low),
            "high": str(offer.high),
            "currency": offer.currency.value,
            "tax": offer.tax.value,
            "condition": offer.condition.value,
            "kind": offer.kind.value,
            "date": offer.date,
            "source": offer.source,
            "basis": offer.basis,
        },
        "matched": line.matched,
        "note": line.note,
    }


def _finding(finding: Finding, say: Say) -> dict[str, Any]:
    remedy = finding.remedy
    return {
        "rule": finding.rule,
        "status": finding.status.value,
        "title": say(finding.title),
        "message": say(finding.message),
        "measured": finding.measured,
        "required": finding.required,
        "unit": finding.unit,
        "parts": list(finding.parts),
        "remedy": None if remedy is None else say(remedy.text),
        "remedy_cost": None if remedy is None or remedy.cost is None else _range(remedy.cost),
        "remedy_slower": None if remedy is None else remedy.slower,
        "evidence": contract(finding.evidence) if finding.evidence else None,
    }


def _rejected(row: Rejected, say: Say) -> dict[str, Any]:
    return {
        "accelerator": row.accelerator,
        "name": row.name,
        "code": row.code,
        "reason": say(row.reason),
        "measured": row.measured,
        "required": row.required,
        "unit": row.unit,
    }


def _money(money: Money) -> dict[str, str]:
    return {"amount": str(money.amount.quantize(CENT)), "currency": money.currency.value}


def _range(value: MoneyRange) -> Mapping[str, str]:
    return {"low": str(value.low.amount.quantize(CENT)), "high": str(value.high.amount.quantize(CENT))}
