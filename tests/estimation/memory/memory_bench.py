"""Memory of a run from a request as the command line takes it, and shapes that many tests use."""

from __future__ import annotations

from typing import Any

from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.estimation.answer import MemoryAnswer, Verdict
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.table import training_columns
from gpuconfig.engine.estimation.memory.answer import memory_answers, memory_verdict
from gpuconfig.engine.estimation.memory.fixes import FixCase
from gpuconfig.engine.estimation.memory.graph import memory_graph
from gpuconfig.engine.estimation.training.settings import resolve_settings
from gpuconfig.engine.workloads.hardware import Parallelism
from gpuconfig.engine.workloads.model_spec import model_from_object
from gpuconfig.engine.workloads.request import EstimateRequest, read_request

Object = dict[str, Any]

LLAMA_2_7B = {
    "layers": 32,
    "hidden": 4096,
    "heads": 32,
    "kv_heads": 32,
    "ffn": 11008,
    "vocab": 32000,
    "parameters_b": 6.738,
}
LLAMA_2_70B = {
    "layers": 80,
    "hidden": 8192,
    "heads": 64,
    "kv_heads": 8,
    "ffn": 28672,
    "vocab": 32000,
    "parameters_b": 68.977,
}
LLAMA_32_1B = {
    "layers": 16, "hidden": 2048, "heads": 32, "kv_heads": 8, "ffn": 8192, "vocab": 128256, "parameters_b": 1.236,
    "tied_embeddings": True,
}  # fmt: skip
MIXTRAL = {
    "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "ffn": 14336, "vocab": 32000, "experts": 8,
    "experts_per_token": 2, "expert_ffn": 14336, "parameters_b": 46.703,
}  # fmt: skip
A100 = {"gpu": "nvidia-a100-sxm4-80"}


class Bench:
    """Reads requests and answers them with memory alone."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        rows = [r for group in catalogue.coefficient_groups() for r in catalogue.coefficients(group)]
        self.coefficients = CoefficientSet.of(rows)

    def read(
        self, model: Any, workload: Object, hardware: Object, parallelism: Object | None = None
    ) -> EstimateRequest:
        data = {"model": model, "workload": {"kind": "training", **workload}, "hardware": hardware}
        return read_request(
            {**data, "parallelism": parallelism or {}}, self._model, self.catalogue.accelerator
        )

    def columns(self, *request: Any) -> dict[str, float]:
        read = self.read(*request)
        settings, _ = resolve_settings(
            read.workload, read.model, read.accelerator, read.parallelism or Parallelism()
        )
        return training_columns(read, settings, self.coefficients)

    def memory(self, *request: Any) -> MemoryAnswer:
        return memory_answers(memory_graph(), [self.columns(*request)])[0]

    def allocated(self, *request: Any) -> float:
        value = self.memory(*request).peak_allocated_bytes.value
        assert value is not None
        return value

    def verdict(self, *request: Any) -> Verdict:
        return memory_verdict(self.memory(*request))

    def case(self, *request: Any) -> FixCase:
        read = self.read(*request)
        settings, _ = resolve_settings(
            read.workload, read.model, read.accelerator, read.parallelism or Parallelism()
        )
        columns = training_columns(read, settings, self.coefficients)
        assert read.model.architecture is not None
        return FixCase(
            settings, read.model.architecture, columns, memory_answers(memory_graph(), [columns])[0]
        )

    def _model(self, given: object) -> Any:
        if isinstance(given, str):
            return self.catalogue.model(given)
        if isinstance(given, dict) and "layers" in given:
            given = {"architecture": given}
        assert isinstance(given, dict)
        return model_from_object(given)
