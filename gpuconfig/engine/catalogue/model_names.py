"""Models as repositories and files are named: owner, tuning and stored format beside the name proper."""

from __future__ import annotations

import re
from collections.abc import Iterator

_GGUF_TYPE = r"(?:ud-)?(?:i?q\d(?:_[a-z0-9]+)*|bf16|f16|f32)"
_STORED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(f"(?<=.)(?:{pattern})$", re.IGNORECASE), stored)
    for pattern, stored in (
        (rf"[-_. ]gguf[:/ ](?P<kind>{_GGUF_TYPE})(?:\.gguf)?", "gguf:{kind}"),
        (r"[-_.: ](?P<kind>(?:ud-)?i?q\d(?:_[a-z0-9]+)*)(?:[-_.]gguf)?", "gguf:{kind}"),
        (r"[-_. ]gguf", "gguf:q4_k_m"),
        (r"[-_ ](?P<kind>\d(?:\.\d+)?)bpw(?:[-_]h\d)?[-_]exl[23]", "exl2:{kind}"),
        (r"[-_ ]exl[23][-_:](?P<kind>\d(?:\.\d+)?)(?:bpw)?", "exl2:{kind}"),
        (r"[-_ ]awq(?:[-_ ]?(?:int4|4bit|w4a16))?", "awq_int4"),
        (r"[-_ ]gptq[-_ ]?(?:int8|8bit)", "gptq_int8"),
        (r"[-_ ](?:gptq(?:[-_ ]?(?:int4|4bit|w4a16))?|(?:quantized[-_.])?w4a16)", "gptq_int4"),
        (r"[-_ ](?:(?:quantized[-_.])?w8a8|int8)", "int8"),
        (r"[-_ ](?:unsloth-)?(?:bnb-4bit|nf4)", "nf4"),
        (r"[-_ ](?:nvfp4|fp4)", "nvfp4"),
        (r"[-_ ]mxfp4", "mxfp4"),
        (r"[-_ ]fp8(?:[-_](?:dynamic|block|kv))?", "fp8"),
        (r"[-_: ](?:mlx-?)?(?P<kind>[234568])bit", "mlx:{kind}bit"),
        (r"[-_: ]mlx", "mlx:4bit"),
        (r"[-_ ]bf16", "bf16"),
        (r"[-_ ]fp?16", "fp16"),
    )
)
_TUNED = re.compile(r"[-_ ](?:instruct|chat|it|hf|base)$", re.IGNORECASE)


def model_spellings(name: str) -> Iterator[tuple[str, str]]:
    """What `name` may be called in the catalogue, likeliest first, with the stored format that it tells ("" for none).

    `Qwen/Qwen2.5-72B-Instruct-AWQ` is Qwen2.5-72B stored as `awq_int4`.
    """
    bare, stored = _without_format(name.strip())
    names = [bare, bare.rpartition("/")[2]]
    names += [n.partition("_")[2] for n in names[-1:] if "_" in n]
    names += [n.replace(":", "-") for n in names if ":" in n]
    for one in dict.fromkeys(n for n in names if n):
        plain = one
        yield plain, stored
        while match := _TUNED.search(plain):
            plain = plain[: match.start()]
            yield plain, stored


def _without_format(name: str) -> tuple[str, str]:
    for pattern, stored in _STORED:
        if match := pattern.search(name):
            kind = (match.groupdict().get("kind") or "").lower().removeprefix("ud-")
            return name[: match.start()], stored.format(kind=kind)
    return name, ""
