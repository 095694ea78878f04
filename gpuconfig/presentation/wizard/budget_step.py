"""Step 4: what it may cost."""

from __future__ import annotations

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.wizard.question import Choice, Question, QuestionKind, Step

STEP = Step(
    key="budget",
    title=N_("Budget"),
    heading=N_("What may it cost?"),
    questions=(
        Question(
            key="budget",
            path="budget.amount",
            kind=QuestionKind.AMOUNT,
            title=N_("Budget"),
            placeholder="500000",
            help=N_("The whole machine with everything in it; 50万 and 500,000 are understood."),
            unsure=N_("no limit: every machine that works is shown, the cheapest first"),
        ),
        Question(
            key="currency",
            path="budget.currency",
            kind=QuestionKind.CHOICE,
            title=N_("Currency"),
            choices=(
                Choice(
                    "CNY",
                    N_("RMB (CNY)"),
                    N_("Prices of the Chinese market first; others are converted and say so."),
                ),
                Choice(
                    "USD",
                    N_("US dollar (USD)"),
                    N_("Prices of the US market first; others are converted and say so."),
                ),
            ),
            default="CNY",
        ),
        Question(
            key="tax_included",
            path="budget.tax_included",
            kind=QuestionKind.CHOICE,
            title=N_("Tax"),
            choices=(
                Choice("yes", N_("Tax included"), N_("13 % VAT in China; as most purchase budgets are.")),
                Choice("no", N_("Without tax"), N_("Tenders of state firms often set ceilings without tax.")),
            ),
            default="yes",
            unsure=N_("with tax, the stricter reading"),
        ),
        Question(
            key="budget_kind",
            path="budget.kind",
            kind=QuestionKind.CHOICE,
            title=N_("Kind of money"),
            choices=(
                Choice("purchase", N_("Once, to buy"), N_("Compared with the price of the machine.")),
                Choice(
                    "per_month", N_("Every month"), N_("Compared with rent, or three years' cost by month.")
                ),
            ),
            default="purchase",
            advanced=True,
        ),
    ),
)
