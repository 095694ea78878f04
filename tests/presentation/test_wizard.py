"""Answers become the contract's request, and a request becomes answers again."""

import json
from pathlib import Path

import pytest

from gpuconfig import app as wiring
from gpuconfig.cli.field_meaning import MEANINGS
from gpuconfig.i18n import Language, load
from gpuconfig.presentation.cost_wishes import COST_FIELDS
from gpuconfig.presentation.wizard.constraint_step import WEIGHTS
from gpuconfig.presentation.wizard.draft import draft, question_of
from gpuconfig.presentation.wizard.flow import STEPS, all_asked
from gpuconfig.presentation.wizard.question import QuestionKind, within
from gpuconfig.presentation.wizard.restore import answers_of
from gpuconfig.presentation.wizard.summary import headline, lines
from gpuconfig.presentation.wizard.workload_step import TASKS

SAMPLES = sorted((Path(__file__).parents[2] / "resources" / "samples").glob("*.gpuconfig"))
SERVICES = wiring.services()


@pytest.mark.parametrize("task", [choice.value for choice in TASKS])
def test_i_do_not_know_everywhere_is_a_request(task):
    answers = {"task": task}
    answers |= {question.unsure_key: True for _step, question in all_asked(answers) if question.unsure}
    answers["task?"] = False
    found = draft(answers)
    assert found.problems == {}
    request = SERVICES.read_request(found.request)
    assert request.budget is None


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_a_sample_keeps_its_meaning_through_the_wizard(path):
    asked = json.loads(path.read_text(encoding="utf-8"))["request"]
    found = draft(answers_of(asked))
    assert found.problems == {}
    for name, value in asked.items():
        if isinstance(value, dict):
            taken = found.request[name]
            assert {k: taken[k] for k in value if not isinstance(value[k], dict)} == {
                k: v for k, v in value.items() if not isinstance(v, dict)
            }
        else:
            assert found.request[name] == value
    SERVICES.read_request(found.request)


def test_a_setting_only_a_file_can_give_survives_and_is_shown():
    asked = {"model": "qwen2.5-7b", "workload": {"kind": "serving", "ttft_target_ms": 500}}
    answers = answers_of(asked)
    assert draft(answers).request["workload"]["ttft_target_ms"] == 500
    shown = [line.answer for line in lines(answers, load(Language.EN))]
    assert any("ttft_target_ms" in text for text in shown)
    other = draft({**answers, "task": "lora"}).request
    assert "ttft_target_ms" not in other["workload"]


def test_every_field_of_a_request_can_be_set_in_the_window():
    asked = {question.path for step in STEPS for question in step.questions}
    asked |= {f"cost.{field.key}" for field in COST_FIELDS}
    elsewhere = {"workload.kind", "workload.method"}  # the task
    elsewhere |= {"workload.concurrency", "workload.ttft_target_ms", "workload.tpot_target_ms"}  # the target
    sections = ("training", "serving", "generation", "vision", "recommend")
    fields = {path.partition(":")[2] for path in MEANINGS if path.partition(":")[0] in sections}
    assert {path for path in fields - elsewhere if not within(path, asked)} == set()


LEFT = {
    "model": "qwen2.5-7b",
    "workload": {"kind": "training", "method": "lora", "lora": {"targets": ["down_proj"], "dropout": 0.0}},
    "constraints": {"mains": {"volts": 240, "amps": 20}, "vendors": ["AMD", "Intel"]},
    "weights": {"cost": 5.0},
}


def test_what_no_choice_says_is_kept_until_an_answer_replaces_it():
    answers = answers_of(LEFT)
    found = draft(answers).request
    assert found["workload"]["lora"] == {"targets": ["down_proj"], "dropout": 0.0}
    assert found["constraints"]["mains"] == {"volts": 240.0, "amps": 20.0}
    assert found["constraints"]["vendors"] == ["AMD", "Intel"]
    assert found["weights"] == {"cost": 5.0}
    changed = draft(
        {**answers, "lora_targets": "q_proj,v_proj", "vendors": "AMD", "priority": "time"}
    ).request
    assert changed["workload"]["lora"] == {"targets": ["q_proj", "v_proj"], "dropout": 0.0}
    assert changed["constraints"]["vendors"] == ["AMD"]
    assert changed["weights"] == WEIGHTS["time"]


def test_parts_in_use_are_ticked_and_what_ticks_cannot_say_is_kept():
    ticked = {"parts": {"motherboard": [{"ref": "h12d-8d"}], "memory": [{"ref": "a"}, {"ref": "a"}]}}
    said = {"parts": {"gpu": [{"name": "RTX 3090", "quantity": 2}]}}
    for reuse in (ticked, said):
        answers = answers_of(
            {"model": "qwen2.5-7b", "workload": {"kind": "serving"}, "constraints": {"reuse": reuse}}
        )
        assert ("owned" in answers) is (reuse is ticked)
        assert draft(answers).request["constraints"]["reuse"] == reuse


def test_models_and_cards_go_by_their_names():
    answers = {"task": "lora", "model": "qwen2.5-7b", "accelerators": ["rtx-4090"]}
    names = {"qwen2.5-7b": "Qwen2.5 7B", "rtx-4090": "RTX 4090 24GB"}
    said = {line.question: line.answer for line in lines(answers, load(Language.EN), names)}
    assert said["model"] == "Qwen2.5 7B"
    assert said["accelerators"] == "RTX 4090 24GB"


def test_a_missing_model_is_the_models_problem():
    assert set(draft({"task": "lora"}).problems) == {"model"}
    assert draft({"task": "lora", "model?": True}).problems == {}


def test_hidden_answers_are_kept_but_not_sent():
    answers = {"task": "serving", "model": "qwen2.5-7b", "sequence_length": "abc", "users": "20"}
    found = draft(answers)
    assert found.problems == {}
    assert found.request["target"] == {"users": 20}
    assert "sequence_length" not in found.request["workload"]
    assert set(draft({**answers, "task": "lora"}).problems) == {"sequence_length"}


@pytest.mark.parametrize(
    ("path", "question"),
    [
        ("budget.amount", "budget"),
        ("workload.sequence_length", "sequence_length"),
        ("model", "model"),
        ("model.file", "model"),
        ("target.deadline_s", "deadline"),
        ("nothing.known", None),
    ],
)
def test_an_error_of_the_engine_finds_its_question(path, question):
    assert question_of(path, {"task": "full"}) == question


def test_keys_and_choices_are_unique():
    keys = [question.key for step in STEPS for question in step.questions]
    assert len(keys) == len(set(keys))
    for step in STEPS:
        for question in step.questions:
            values = [choice.value for choice in question.choices]
            assert len(values) == len(set(values))
            if question.kind in (QuestionKind.CHOICE, QuestionKind.PICK):
                assert values


def test_every_question_that_may_be_skipped_says_what_follows():
    silent = [
        question.key
        for step in STEPS
        for question in step.questions
        if not question.unsure
        and question.key not in ("model_source", "currency", "budget_kind", "accelerators", "owned")
    ]
    assert silent == []


def test_the_headline_is_task_model_and_budget():
    answers = {"task": "lora", "model": "qwen2.5-7b", "budget": "50万"}
    assert headline(answers, load(Language.EN)) == "LoRA · qwen2.5-7b · ¥500,000"
    assert headline(answers, load(Language.ZH)) == "LoRA · qwen2.5-7b · ¥500,000"


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({"model": "sdxl", "workload": {"kind": "image", "controlnets": 2, "lora_rank": 64}}, ("2", "64")),
        (
            {"model": "wan-2.1-t2v-14b", "workload": {"kind": "video"}, "constraints": {"av1_encode": True}},
            ("Needed", "需要"),
        ),
        (
            {
                "model": "llama-3.1-70b",
                "workload": {"kind": "training", "method": "pretrain", "pipeline_schedule": "zb_v"},
            },
            ("Zero bubble V", "零气泡 V"),
        ),
        (
            {
                "model": "flux.1-dev",
                "workload": {
                    "kind": "image",
                    "offload": "model",
                    "compiled": True,
                    "engine": "comfyui",
                    "precision": "gguf:q4_k_m",
                },
            },
            ("Whole models", "整个模型", "Compiled", "编译", "ComfyUI"),
        ),
        (
            {
                "model": "hunyuanvideo",
                "workload": {"kind": "video", "sequence_parallel": 4, "engine": "xdit"},
            },
            ("4", "xDiT"),
        ),
        (
            {
                "model": "bert-large-uncased",
                "workload": {
                    "kind": "vision_inference",
                    "sequence_length": 384,
                    "engine": "tensorrt",
                    "precision": "int8",
                },
            },
            ("384", "TensorRT", "INT8"),
        ),
        (
            {
                "model": "resnet-50",
                "workload": {"kind": "vision_training", "compiled": False, "engine": "pytorch"},
            },
            ("As it is", "不编译"),
        ),
    ],
    ids=["controlnet-and-lora", "av1", "schedule", "picture-settings", "shared-clip", "encoder", "vision"],
)
def test_what_the_command_line_can_state_goes_through_the_wizard(asked, shown):
    answers = answers_of(asked)
    assert "extra" not in answers
    found = draft(answers)
    assert found.problems == {}
    for part in ("workload", "constraints"):
        assert {k: found.request.get(part, {}).get(k) for k in asked.get(part, {})} == asked.get(part, {})
    SERVICES.read_request(found.request)
    words = [line.answer for language in Language for line in lines(answers, load(language))]
    assert all(any(text in word for word in words) for text in shown)


def test_a_task_that_no_choice_has_is_named_and_shown_as_it_is():
    """A project file of elsewhere says `task: nosuch`: the window opens it and asks again."""
    answers = {"task": "nosuch", "model": "qwen2.5-7b"}
    assert headline(answers, load(Language.EN)) == "nosuch · qwen2.5-7b"
    assert "task" in draft(answers).problems
