"""Step 1: what is to be done."""

from __future__ import annotations

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.wizard.question import Choice, Question, QuestionKind, Step, is_training

TASKS = (
    Choice(
        "full",
        N_("Full fine-tuning"),
        N_("Updates every parameter: about 16 bytes of memory a parameter, so 7B needs over 112 GB in all."),
    ),
    Choice(
        "lora",
        N_("LoRA"),
        N_("Trains small adapters on frozen weights: 2 bytes a parameter and activations; 7B fits 24 GB."),
    ),
    Choice(
        "qlora",
        N_("QLoRA"),
        N_("Adapters on 4-bit weights: the least memory of all, slower by the unpacking in every pass."),
    ),
    Choice(
        "pretrain",
        N_("Pre-training"),
        N_("From random weights over very many tokens: speed and the link between cards decide the cost."),
    ),
    Choice(
        "serving",
        N_("LLM serving"),
        N_("Weights and the KV cache of all users must fit; memory bandwidth sets the speed."),
    ),
    Choice(
        "image", N_("Image generation"), N_("Diffusion models such as SDXL or FLUX: compute sets the speed.")
    ),
    Choice(
        "video", N_("Video generation"), N_("Many frames at once: needs far more memory than single images.")
    ),
    Choice(
        "vision_training",
        N_("Vision training"),
        N_("Convolutional networks and vision transformers: often bound by reading and decoding images."),
    ),
    Choice(
        "vision_inference",
        N_("Vision inference"),
        N_("Classifies or embeds images: small cards are often enough."),
    ),
)

STAGES = (
    Choice("sft", N_("Supervised (SFT)")),
    Choice("reward", N_("Reward model")),
    Choice("dpo", N_("DPO"), N_("A frozen reference model is resident beside the trained one.")),
    Choice("grpo", N_("GRPO"), N_("Generates answers during training: room for a KV cache is needed.")),
    Choice("ppo", N_("PPO"), N_("Four models are resident: policy, reference, reward and value.")),
)

STEP = Step(
    key="workload",
    title=N_("Task"),
    heading=N_("What do you want to do?"),
    questions=(
        Question(
            key="task",
            kind=QuestionKind.CHOICE,
            title=N_("Task"),
            choices=TASKS,
            default="full",
            unsure=N_(
                "estimated as full fine-tuning, the most demanding case; can be changed on the result page"
            ),
        ),
        Question(
            key="stage",
            path="workload.stage",
            kind=QuestionKind.PICK,
            title=N_("Training stage"),
            help=N_("Which loss is trained, and so which models are in memory at the same time."),
            choices=STAGES,
            default="sft",
            unsure=N_("supervised fine-tuning is assumed"),
            advanced=True,
            shown=is_training,
        ),
    ),
)
