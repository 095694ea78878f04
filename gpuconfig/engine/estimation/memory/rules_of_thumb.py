"""The three old rules of thumb for training memory, beside which the tensor count is shown, and why they differ."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.units import GB

WEIGHT_BYTES, GRADIENT_BYTES, ADAM_BYTES = 2.0, 2.0, 8.0
LEAST_PER_PARAMETER, MOST_PER_PARAMETER = 4.0, 20.0
WEIGHTS_FACTOR, ACTIVATION_SHARE, CHECKPOINTED_SHARE = 1.2, 0.3, 0.15


@dataclass(frozen=True, slots=True)
class RuleOfThumb:
    """What one rule says for a model, as low and high bytes, and what it leaves out."""

    name: Message
    low_bytes: float
    high_bytes: float
    difference: Message


def rules_of_thumb(parameters: float, checkpointing: bool = True) -> tuple[RuleOfThumb, ...]:
    """What each rule says a full fine-tuning of `parameters` needs, in bytes, on all cards together.

    Args:
        parameters: of the model.
        checkpointing: whether activations are recomputed, which the third rule asks about.
    """
    by_item = parameters * (WEIGHT_BYTES + GRADIENT_BYTES + ADAM_BYTES)
    weights = parameters * WEIGHT_BYTES
    share = CHECKPOINTED_SHARE if checkpointing else ACTIVATION_SHARE
    third = weights * WEIGHTS_FACTOR + weights * share
    billions = parameters / 1e9
    return (
        RuleOfThumb(
            Message(N_("Bytes per parameter by item: weights 2, gradients 2, Adam 8")),
            by_item,
            by_item,
            Message(N_("It leaves out the fp32 master weights (4 bytes), activations, logits and buffers.")),
        ),
        RuleOfThumb(
            Message(N_("4 to 20 GB per billion parameters")),
            billions * LEAST_PER_PARAMETER * GB,
            billions * MOST_PER_PARAMETER * GB,
            Message(
                N_("Full training takes 16 to 20 bytes a parameter, LoRA 2 to 3; 4 fits no full method.")
            ),
        ),
        RuleOfThumb(
            Message(N_("Weights x 1.2, plus 0.3 of them for activations (0.15 with checkpointing)")),
            third,
            third,
            Message(N_("It is a rule for inference: gradients and optimizer states are missing altogether.")),
        ),
    )
