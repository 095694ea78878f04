"""Cards and models as logs, shops and repositories spell them, against the shipped catalogue."""

from __future__ import annotations

from collections import Counter

import pytest

from gpuconfig.engine.catalogue.card_names import card_words
from gpuconfig.engine.catalogue.model_names import model_spellings
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.exchange.model_reference import read_model
from tests.bundled_catalogue import bundled_catalogue

CATALOGUE = bundled_catalogue()


@pytest.mark.parametrize(
    ("spelling", "card"),
    [
        ("H100 80GB SXM5", "nvidia-h100-sxm5-80"),
        ("HGX H100", "nvidia-h100-sxm5-80"),
        ("nvidia/h100", "nvidia-h100-sxm5-80"),
        ("H800 SXM", "nvidia-h800-sxm5-80"),
        ("A100-80GB SXM4", "nvidia-a100-sxm4-80"),
        ("NVIDIA A100 40GB", "nvidia-a100-sxm4-40"),
        ("NVIDIA A100 40GB PCIe", "nvidia-a100-pcie-40"),
        ("NVIDIA GeForce RTX 4090 24GB", "nvidia-rtx-4090-24"),
        ("RTX 6000 Ada Generation", "nvidia-rtx-6000-ada-48"),
        ("4080S", "nvidia-rtx-4080s-16"),
        ("Blackwell B200", "nvidia-b200-sxm-180"),
        ("GB200 192GB", "nvidia-gb200-186"),
        ("AMD Radeon RX 7900 XTX", "amd-rx-7900xtx-24"),
        ("7900XTX", "amd-rx-7900xtx-24"),
        ("Instinct MI300X OAM", "amd-mi300x-192"),
        ("MI325X", "amd-mi325x-256"),
        ("Intel Data Center GPU Flex 170", "intel-flex-170-16"),
        ("RTX 8000", "nvidia-quadro-rtx-8000-48"),
        ("4090 48G", "nvidia-rtx-4090-48-mod"),
    ],
)
def test_a_card_is_found_by_the_words_that_matter(spelling: str, card: str) -> None:
    assert CATALOGUE.accelerator(spelling).id == card


@pytest.mark.parametrize(
    "spelling",
    [
        "RTX 4090 Laptop GPU", "L40S 24GB vGPU", "A100/A800 80GB", "RTX 4090 32GB", "RTX 6000", "H100 40GB",
        "24GB GPU", "NVIDIA", "", "显卡",
    ],
)  # fmt: skip
def test_another_card_is_none_of_ours(spelling: str) -> None:
    with pytest.raises(InputError) as refused:
        CATALOGUE.accelerator(spelling)
    assert refused.value.field == "hardware.gpu"


def test_every_card_is_found_by_each_of_its_own_names() -> None:
    cards = CATALOGUE.accelerators()
    shared = {name for name, count in Counter(n for c in cards for n in c.aliases).items() if count > 1}
    assert shared <= {"A800 PCIe", "3080", "RTX 3080", "NVIDIA GeForce RTX 3080"}
    for card in cards:
        for name in {card.id, card.name, *card.aliases} - shared:
            found = CATALOGUE.find(Kind.ACCELERATOR, name)
            assert found is not None
            assert found.id == card.id, name


def test_size_and_form_are_apart_from_the_words() -> None:
    assert card_words("NVIDIA H100-SXM5-80GB") == card_words("h100 80 GB sxm")
    assert card_words("RTX 4090D").words == card_words("GeForce RTX 4090 D").words


@pytest.mark.parametrize(
    ("name", "model", "stored"),
    [
        ("meta-llama/Llama-3.1-8B", "llama-3.1-8b", ""),
        ("Qwen/Qwen2.5-72B-Instruct-AWQ", "qwen2.5-72b", "awq_int4"),
        ("Qwen/Qwen2.5-7B-Instruct-GPTQ-Int8", "qwen2.5-7b", "gptq_int8"),
        ("bartowski/Qwen2.5-14B-Instruct-GGUF", "qwen2.5-14b", "gguf:q4_k_m"),
        ("Qwen_Qwen3.5-9B-Q4_K_M", "qwen3.5-9b", "gguf:q4_k_m"),
        ("unsloth/Qwen3-8B-GGUF:UD-Q4_K_XL", "qwen3-8b", "gguf:q4_k_xl"),
        ("DeepSeek-V3-0324-IQ4_XS.gguf", "deepseek-v3", "gguf:iq4_xs"),
        ("RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w8a8", "llama-3.1-8b", "int8"),
        ("unsloth/Meta-Llama-3.1-8B-bnb-4bit", "llama-3.1-8b", "nf4"),
        ("mlx-community/Qwen3-8B-4bit", "qwen3-8b", "mlx:4bit"),
        ("turboderp/Qwen3-8B-exl2-4.0bpw", "qwen3-8b", "exl2:4.0"),
        ("nvidia/DeepSeek-R1-NVFP4", "deepseek-r1", "nvfp4"),
        ("llama3.1:8b", "llama-3.1-8b", ""),
    ],
)
def test_a_repository_names_model_and_stored_format(name: str, model: str, stored: str) -> None:
    found = read_model(name, CATALOGUE)
    assert (found.id, found.file_format) == (model, stored)


def test_every_preset_is_found_by_its_own_name_as_it_is() -> None:
    for model in CATALOGUE.models():
        assert read_model(model.hugging_face or model.id, CATALOGUE) == model


def test_a_name_with_a_number_is_no_format() -> None:
    assert [stored for _, stored in model_spellings("vit-base-patch16")] == [""]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("H20 141", "nvidia-h20-sxm-141"),
        ("h20-96", "nvidia-h20-sxm-96"),
        ("A100 40", "nvidia-a100-sxm4-40"),
        ("L40S 48", "nvidia-l40s-48"),
    ],
)
def test_a_bare_number_that_no_name_has_is_the_memory(said: str, meant: str) -> None:
    """A size that the card does not have means no card."""
    assert CATALOGUE.accelerator(said).id == meant
    with pytest.raises(InputError):
        CATALOGUE.accelerator(said[:4].rstrip(" -") + " 777")
