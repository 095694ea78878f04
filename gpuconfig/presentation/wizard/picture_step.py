"""Step 3 for pictures, clips and vision networks."""

from __future__ import annotations

from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.request import Target
from gpuconfig.engine.workloads.serving import DiffusionWorkload, VisionWorkload
from gpuconfig.presentation.wizard.question import (
    NO,
    YES,
    Answers,
    Choice,
    Condition,
    Question,
    QuestionKind,
    is_diffusion,
    is_vision,
    task,
    workload_question,
)

_IMAGE_PRECISIONS = (
    Choice("bf16", "BF16"),
    Choice("fp16", "FP16"),
    Choice("fp8", "FP8"),
    Choice("int8", "INT8"),
    Choice("gguf:q8_0", "GGUF Q8_0", N_("Widened for every pass: saves memory, not time.")),
    Choice("gguf:q4_k_m", "GGUF Q4_K_M", N_("Widened for every pass: saves memory, not time.")),
    Choice("fp32", "FP32"),
)
_VISION_PRECISIONS = (
    Choice("bf16", "BF16"),
    Choice("fp16", "FP16"),
    Choice("fp8", "FP8"),
    Choice("int8", "INT8", N_("Inference only; calibrated on pictures of your own.")),
    Choice("tf32", "TF32"),
    Choice("fp32", "FP32"),
)
_IMAGE_ENGINES = (
    Choice("diffusers", "Diffusers"),
    Choice("comfyui", "ComfyUI", N_("Moves models to the card in their turn; reads packed weights.")),
    Choice("webui", "WebUI"),
    Choice("tensorrt", "TensorRT", N_("Built ahead for one card and size: fastest.")),
    Choice("xdit", "xDiT", N_("Shares one picture or clip among several cards.")),
    Choice("wan", "Wan", N_("The program published with the model.")),
)
_VISION_ENGINES = (
    Choice("pytorch", "PyTorch"),
    Choice("pytorch_channels_last", N_("PyTorch, channels last")),
    Choice("tensorflow", "TensorFlow"),
    Choice("mxnet", "MXNet"),
    Choice("paddlepaddle", "PaddlePaddle"),
    Choice("jax", "JAX"),
    Choice("tensorrt", "TensorRT", N_("Inference only: layers fused ahead of time.")),
)
_IMAGE_OFFLOAD = (
    Choice("none", N_("Nothing"), N_("All models stay on the card: fastest.")),
    Choice("model", N_("Whole models"), N_("Text encoder, denoiser and decoder take turns on the card.")),
    Choice("sequential", N_("Layer by layer"), N_("Fits nearly any card, many times slower.")),
)
_COMPILED = (
    Choice(YES, N_("Compiled"), N_("torch.compile: the first picture waits a minute or more.")),
    Choice(NO, N_("As it is")),
)


def _is_video(answers: Answers) -> bool:
    return task(answers) == "video"


def _is_vision_training(answers: Answers) -> bool:
    return task(answers) == "vision_training"


def _is_encoding(answers: Answers) -> bool:
    return task(answers) == "vision_inference"


def _compiled(kind: type, shown: Condition, key: str) -> Question:
    return workload_question(
        kind,
        "compiled",
        N_("Compilation"),
        shown,
        QuestionKind.PICK,
        key=key,
        choices=_COMPILED,
        advanced=True,
        help=N_("A compiled network fuses small steps: a tenth to a third less time once it runs."),
        unsure=N_("not compiled"),
    )


DIFFUSION = (
    workload_question(
        DiffusionWorkload,
        "width",
        N_("Width"),
        is_diffusion,
        unsure=N_("the model's default"),
        unit=N_("pixels"),
        placeholder="1024",
    ),
    workload_question(
        DiffusionWorkload,
        "height",
        N_("Height"),
        is_diffusion,
        unsure=N_("the model's default"),
        unit=N_("pixels"),
        placeholder="1024",
    ),
    workload_question(
        DiffusionWorkload,
        "frames",
        N_("Frames"),
        _is_video,
        unsure=N_("the model's default"),
        placeholder="81",
    ),
    workload_question(
        DiffusionWorkload,
        "steps",
        N_("Denoising steps"),
        is_diffusion,
        unsure=N_("the model's default"),
        placeholder="30",
    ),
    Question(
        key="picture_within",
        path="target.deadline_s",
        kind=QuestionKind.REAL,
        title=N_("One picture or clip within"),
        unit=N_("seconds"),
        placeholder="10",
        limits=(Target, "deadline_s"),
        unsure=N_("a usual patience is taken: slower machines are not offered"),
        shown=is_diffusion,
    ),
    workload_question(
        DiffusionWorkload,
        "guidance",
        N_("Guidance scale"),
        is_diffusion,
        QuestionKind.REAL,
        placeholder="7",
        advanced=True,
        help=N_("Above 1 a usual model computes every step twice, with and without the prompt."),
        unsure=N_("as the model is used"),
    ),
    workload_question(
        DiffusionWorkload,
        "batch",
        N_("Pictures at once"),
        is_diffusion,
        placeholder="1",
        advanced=True,
        unsure=N_("one at a time"),
    ),
    workload_question(
        DiffusionWorkload,
        "controlnets",
        N_("ControlNets"),
        is_diffusion,
        unit=N_("networks"),
        placeholder="1",
        advanced=True,
        help=N_(
            "Each runs beside the denoiser in every step: a fifth to nearly half more time, about a fifth more memory."
        ),
        unsure=N_("none: the prompt alone steers the picture"),
    ),
    workload_question(
        DiffusionWorkload,
        "lora_rank",
        N_("LoRA ranks, added up"),
        is_diffusion,
        key="generation_lora_rank",
        placeholder="64",
        advanced=True,
        help=N_("Of adapters that are kept apart to be switched; merged into the weights they cost nothing."),
        unsure=N_("none, or merged into the weights"),
    ),
    workload_question(
        DiffusionWorkload,
        "precision",
        N_("Precision"),
        is_diffusion,
        QuestionKind.PICK,
        key="image_precision",
        choices=_IMAGE_PRECISIONS,
        advanced=True,
        unsure=N_("16 bit, as published; narrower only where it does not fit"),
    ),
    workload_question(
        DiffusionWorkload,
        "engine",
        N_("Program"),
        is_diffusion,
        QuestionKind.PICK,
        key="image_engine",
        choices=_IMAGE_ENGINES,
        advanced=True,
        unsure=N_("Diffusers; ComfyUI where weights are packed or moved, xDiT where cards share"),
    ),
    workload_question(
        DiffusionWorkload,
        "offload",
        N_("Kept in host memory"),
        is_diffusion,
        QuestionKind.PICK,
        key="image_offload",
        choices=_IMAGE_OFFLOAD,
        advanced=True,
        help=N_(
            "What waits beside the card until its turn: less memory on the card, more time for each picture."
        ),
        unsure=N_("nothing where it fits; else what the card needs, and the answer says so"),
    ),
    workload_question(
        DiffusionWorkload,
        "sequence_parallel",
        N_("Cards that share one picture or clip"),
        is_diffusion,
        unit=N_("cards"),
        placeholder="1",
        advanced=True,
        help=N_("Transformers only (FLUX, Wan, HunyuanVideo): each card computes a part of every step."),
        unsure=N_("all cards of a machine share, as far as the heads of the network divide among them"),
    ),
    _compiled(DiffusionWorkload, is_diffusion, "image_compiled"),
)

VISION = (
    workload_question(
        VisionWorkload,
        "image_size",
        N_("Picture size"),
        is_vision,
        unsure=N_("the model's default"),
        unit=N_("pixels"),
        placeholder="224",
    ),
    workload_question(
        VisionWorkload,
        "batch_per_gpu",
        N_("Batch on each card"),
        is_vision,
        placeholder="256",
        unsure=N_("a usual batch"),
    ),
    workload_question(
        VisionWorkload,
        "dataset_images",
        N_("Images of the training set"),
        _is_vision_training,
        placeholder="1281167",
        help=N_(
            "ImageNet has 1,281,167. With the epochs they give the time to train, and whether host memory keeps them."
        ),
        unsure=N_("speed is given per second; no time to finish can be given"),
    ),
    workload_question(
        VisionWorkload,
        "epochs",
        N_("Epochs"),
        _is_vision_training,
        placeholder="90",
        help=N_("How often every image is trained on."),
        unsure=N_("90 epochs, as usual for ImageNet"),
    ),
    workload_question(
        VisionWorkload,
        "precision",
        N_("Precision"),
        is_vision,
        QuestionKind.PICK,
        key="vision_precision",
        choices=_VISION_PRECISIONS,
        advanced=True,
        unsure=N_("mixed precision, as usual"),
    ),
    workload_question(
        VisionWorkload,
        "sequence_length",
        N_("Text length"),
        _is_encoding,
        key="encoder_length",
        unit=N_("tokens"),
        placeholder="384",
        binary=True,
        advanced=True,
        help=N_("For BERT and other encoders of texts, padding included; networks of pictures have none."),
        unsure=N_("384 tokens is assumed for encoders of texts"),
    ),
    workload_question(
        VisionWorkload,
        "engine",
        N_("Program"),
        is_vision,
        QuestionKind.PICK,
        key="vision_engine",
        choices=_VISION_ENGINES,
        advanced=True,
        unsure=N_("PyTorch, between its two layouts of memory"),
    ),
    _compiled(VisionWorkload, is_vision, "vision_compiled"),
)
