"""What stands for a field of a request that is not given, and what follows: the one declaration of that page."""

from __future__ import annotations

from collections.abc import Mapping

from gpuconfig.engine.provenance.message import N_

MEANINGS: Mapping[str, str] = {
    "model:model": N_("what is trained or served; nothing is assumed"),
    "training:workload.kind": N_("which fields follow"),
    "training:workload.method": N_("every weight is trained: the most memory"),
    "training:workload.stage": N_(
        "one model, no reference or generation; dpo, grpo and ppo add what the answer counts"
    ),
    "training:workload.sequence_length": N_(
        "4,096 tokens, at most what the model was made for; activations and attention grow with it"
    ),
    "training:workload.pipeline_schedule": N_(
        "1F1B and interleaving are tried; zero bubble only where stated"
    ),
    "training:workload.replicas": N_("a process for each card, as torchrun starts them"),
    "training:workload.packed": N_("sequences are full: no padding is counted"),
    "training:workload.image_tokens": N_(
        "text only; with images they lengthen the sequence and are read and decoded"
    ),
    "training:workload.micro_batch_size": N_("1, or what the strategy search finds"),
    "training:workload.gradient_accumulation": N_(
        "1, with a pipeline four a stage, or what the search finds"
    ),
    "training:workload.precision": N_(
        "matrix products in BF16; where the card has no such units the next wider format, with a warning"
    ),
    "training:workload.autocast": N_("as the framework's recipes do: on for Hugging Face and Axolotl"),
    "training:workload.weight_storage": N_("as the framework loads weights: FP32 or 16 bit, NF4 for QLoRA"),
    "training:workload.master_weights": N_("an FP32 copy where the framework keeps one: 4 bytes a parameter"),
    "training:workload.gradient_dtype": N_("as the framework: FP32 in Megatron, else that of the weights"),
    "training:workload.optimizer": N_("AdamW: two states a parameter"),
    "training:workload.optimizer_state_dtype": N_("FP32 with master weights, else that of the weights"),
    "training:workload.optimizer_foreach": N_(
        "as the framework: the foreach form makes a temporary as large as the weights"
    ),
    "training:workload.optimizer_in_backward": N_("the step comes after backward: all gradients are held"),
    "training:workload.checkpointing": N_(
        "none where that fits, else as the framework's recipes do; recomputing costs up to a third of the speed"
    ),
    "training:workload.attention_kernel": N_("FlashAttention where the card runs it, else PyTorch's own"),
    "training:workload.loss": N_(
        "as the framework: whole logits in Hugging Face, split over the vocabulary in Megatron"
    ),
    "training:workload.compiled": N_("no torch.compile: more passes through memory"),
    "training:workload.lora.rank": N_("rank 16; only LoRA and QLoRA read it"),
    "training:workload.lora.targets": N_("adapters on every linear layer"),
    "training:workload.lora.dora": N_("no learned magnitude"),
    "training:workload.lora.dropout": N_("inputs of adapters go through some; 0 saves its mask and passes"),
    "training:workload.frozen_layers": N_("all layers are trained"),
    "training:workload.moe_capacity_factor": N_("no tokens are dropped: the fullest expert sets the memory"),
    "training:workload.offload": N_("everything stays on the card"),
    "training:workload.framework": N_(
        "Hugging Face for adapters, Megatron where the model is split, else own code"
    ),
    "training:workload.framework_version": N_(
        "today's; a Megatron run in FP16 on an older card is taken for that of 2021, and said"
    ),
    "training:workload.dataset_tokens": N_("no target: time to train is not given"),
    "training:workload.width": N_("the size the image or video model was made for"),
    "training:workload.height": N_("the size the image or video model was made for"),
    "training:workload.frames": N_("the length the video model was made for"),
    "serving:workload.kind": N_("which fields follow"),
    "serving:workload.engine": N_("the usual one of the card: vLLM, llama.cpp for GGUF files"),
    "serving:workload.engine_version": N_("today's"),
    "serving:workload.backend": N_("that of the card's maker"),
    "serving:workload.weight_format": N_("as published; the answer says which"),
    "serving:workload.kv_dtype": N_("16 bit"),
    "serving:workload.prompt_tokens": N_("a usual prompt, said in the answer"),
    "serving:workload.output_tokens": N_("a usual answer, said in the answer"),
    "serving:workload.concurrency": N_("one request at a time, or the target's users"),
    "serving:workload.memory_utilization": N_("the engine's own default share of the memory"),
    "serving:workload.max_context": N_("prompt and answer together"),
    "serving:workload.speculative.method": N_("no speculative decoding unless the object is given"),
    "serving:workload.speculative.tokens": N_("one token drafted a step"),
    "serving:workload.prefix_cache_hit": N_("no prompt is reused"),
    "serving:workload.ttft_target_ms": N_("no target"),
    "serving:workload.tpot_target_ms": N_("no target"),
    "serving:workload.offload_layers": N_("every layer on the card"),
    "serving:workload.offload_experts": N_("routed experts on the card too"),
    "generation:workload.kind": N_("which fields follow"),
    "generation:workload.steps": N_("the model's usual number of steps"),
    "generation:workload.width": N_("the size the image or video model was made for"),
    "generation:workload.height": N_("the size the image or video model was made for"),
    "generation:workload.frames": N_("the length the video model was made for"),
    "generation:workload.batch": N_("one image at a time"),
    "generation:workload.guidance": N_("as the model is used: guidance doubles each step"),
    "generation:workload.precision": N_("16 bit, as published"),
    "generation:workload.engine": N_("diffusers"),
    "generation:workload.compiled": N_("no torch.compile: more passes through memory"),
    "generation:workload.sequence_parallel": N_("the cards do not share an image"),
    "generation:workload.offload": N_("everything stays on the card"),
    "generation:workload.controlnets": N_("none"),
    "generation:workload.lora_rank": N_("none, or merged into the weights"),
    "vision:workload.kind": N_("which fields follow"),
    "vision:workload.batch_per_gpu": N_("64 in training, 32 in inference"),
    "vision:workload.image_size": N_("the network's own size"),
    "vision:workload.sequence_length": N_("384 tokens, for an encoder of texts"),
    "vision:workload.dataset_images": N_(
        "no time to train; storage sets the pace of every epoch, since host memory is not known to keep the images"
    ),
    "vision:workload.epochs": N_("90 in training where the images are stated"),
    "vision:workload.precision": N_("mixed precision in BF16, FP16 on older cards"),
    "vision:workload.engine": N_(
        "PyTorch; in training between its two layouts of channels: pytorch, pytorch_channels_last, tensorflow, mxnet,"
        " paddlepaddle, jax"
    ),
    "vision:workload.compiled": N_("no torch.compile: more passes through memory"),
    "hardware:hardware.gpu": N_("which card; nothing is assumed"),
    "hardware:hardware.gpus_per_node": N_("one card"),
    "hardware:hardware.nodes": N_("one machine"),
    "hardware:hardware.host_rated_w": N_("a host as usual for machines of this kind"),
    "hardware:hardware.supply_efficiency": N_("supplies as usual for machines of this kind"),
    "hardware:hardware.inlet_c": N_("air no warmer than cards are rated for: they hold their board power"),
    "hardware:hardware.power_limit_w": N_(
        "the board power as sold; a limit the card does not take is refused with the range"
    ),
    "hardware:hardware.os": N_("Linux; Windows keeps a part of the memory"),
    "hardware:hardware.display_attached": N_("no display: the whole memory is usable"),
    "hardware:hardware.intra_node": N_("what the card has without extra parts; bridges only where asked for"),
    "hardware:hardware.pcie.generation": N_("the card's own"),
    "hardware:hardware.pcie.lanes": N_("as wide as the card; of mixed slots the narrowest counts"),
    "hardware:hardware.pcie.peer_to_peer": N_("as the stock driver does: off on GeForce"),
    "hardware:hardware.pcie.topology": N_("through the processor's root"),
    "hardware:hardware.inter_node.gbit_per_s_per_gpu": N_(
        "the usual network of that kind of machine, said in the answer"
    ),
    "hardware:hardware.inter_node.rdma": N_("InfiniBand or RoCE"),
    "hardware:hardware.host_memory_bytes": N_("unknown: offload is not checked against it"),
    "hardware:hardware.host_bandwidth_bytes_per_s": N_("a usual host, for what is offloaded"),
    "hardware:hardware.cpu_cores": N_("unknown: decoding images limits nothing"),
    "hardware:hardware.storage_bytes_per_s": N_(
        "unknown: reading limits nothing; offload to NVMe takes one usual drive, and says so"
    ),
    "parallelism:parallelism": N_("every valid split is evaluated, and the fastest that fits is taken"),
    "parallelism:parallelism.zero_stage": N_(
        "nothing is sharded: each card keeps all states; Megatron shards the optimizer where the run does not fit"
        " without"
    ),
    "parallelism:parallelism.tensor": N_("layers are not split"),
    "parallelism:parallelism.sequence": N_(
        "norms are not split in memory; Megatron splits them where the run does not fit without"
    ),
    "parallelism:parallelism.pipeline": N_("no pipeline, no bubble"),
    "parallelism:parallelism.virtual_pipeline": N_("one chunk a stage"),
    "parallelism:parallelism.schedule": N_(
        "1F1B, interleaved with several chunks; zero-bubble schedules only where named"
    ),
    "parallelism:parallelism.context": N_("a sequence stays on one card"),
    "parallelism:parallelism.expert": N_("each card keeps all experts"),
    "parallelism:parallelism.expert_tensor": N_("experts are not split"),
    "parallelism:parallelism.data": N_("what the other degrees leave of the cards"),
    "recommend:target.deadline_s": N_("a usual patience for this kind of work, said in the answer"),
    "recommend:target.tokens_per_s": N_("no target"),
    "recommend:target.users": N_("no target"),
    "recommend:target.ttft_ms": N_("no target"),
    "recommend:target.tpot_ms": N_("no target"),
    "recommend:budget.amount": N_("without the object no budget limits the options"),
    "recommend:budget.currency": N_("renminbi"),
    "recommend:budget.tax_included": N_("the amount includes tax"),
    "recommend:budget.kind": N_("spent once, not every month"),
    "recommend:constraints.accelerators": N_("every card of the catalogue is tried"),
    "recommend:constraints.gpu_count": N_("as many as the target needs"),
    "recommend:constraints.max_gpus": N_("no upper end"),
    "recommend:constraints.vendors": N_("every maker"),
    "recommend:constraints.condition": N_("new goods only: no used or modified cards"),
    "recommend:constraints.form": N_("workstations and servers"),
    "recommend:constraints.mains.volts": N_("the region's ordinary outlet"),
    "recommend:constraints.mains.amps": N_("the region's ordinary outlet"),
    "recommend:constraints.ambient_c": N_("a usual room; cooling is judged for it"),
    "recommend:constraints.noise": N_("not limited"),
    "recommend:constraints.region": N_("China: its prices, tax, outlets and export rules"),
    "recommend:constraints.software": N_("every stack that runs the work"),
    "recommend:constraints.av1_encode": N_("not needed"),
    "recommend:constraints.available_within_days": N_("any delivery time"),
    "recommend:constraints.reuse": N_("nothing is there yet"),
    "recommend:weights.cost": N_("without weights: target and budget first, then three-year cost, then time"),
    "recommend:weights.time": N_("counts nothing unless given"),
    "recommend:weights.energy": N_("counts nothing unless given"),
    "recommend:weights.risk": N_("counts nothing unless given"),
    "recommend:build_weights.cost": N_("without the object each machine is the cheapest that passes"),
    "recommend:build_weights.quiet": N_("counts nothing unless given"),
    "recommend:build_weights.cool": N_("counts nothing unless given"),
    "recommend:build_weights.upgradable": N_("counts nothing unless given"),
    "recommend:cost.years": N_("three years"),
    "recommend:cost.need": N_(
        "not said: a rental stands behind the machines to buy, unless the budget is monthly"
    ),
    "recommend:cost.utilisation": N_("half of the hours"),
    "recommend:cost.pue": N_("a usual one of the room"),
    "recommend:cost.tariff": N_("a usual tariff of the region"),
    "recommend:cost.per_kwh": N_("the tariff's price"),
    "recommend:cost.per_kwh_sharp": N_("the tariff's price"),
    "recommend:cost.per_kwh_peak": N_("the tariff's price"),
    "recommend:cost.per_kwh_flat": N_("the tariff's price"),
    "recommend:cost.per_kwh_valley": N_("the tariff's price"),
    "recommend:cost.valley_first": N_("work runs at any hour"),
    "recommend:cost.hosting": N_("in a room of one's own"),
    "recommend:cost.colocation_per_kw_month": N_("a usual price, only with colocation"),
    "recommend:cost.staff_per_year": N_("none counted"),
    "recommend:cost.maintenance_share": N_("a usual share of the price"),
    "recommend:cost.payment": N_("paid at once"),
    "recommend:cost.down_payment": N_("a usual share, only on credit"),
    "recommend:cost.interest_rate": N_("a usual rate, only on credit"),
    "recommend:cost.term_months": N_("36 months, only on credit"),
    "recommend:cost.discount_rate": N_("a usual rate of the region, recorded with its source"),
    "recommend:cost.book_life_years": N_("the usual life in the region's books"),
    "recommend:cost.freight_share": N_("none counted"),
    "recommend:cost.duty_rate": N_("none counted"),
    "recommend:cost.invoice": N_("no tax is recovered"),
    "recommend:cost.tax_rate": N_("the region's"),
    "recommend:cost.rounding": N_("tax is rounded on each line"),
    "recommend:cost.resale_share": N_("the recorded history of such cards"),
    "recommend:cost.growth_per_year": N_("the work stays the same"),
    "recommend:cost.storage_gb": N_("none kept with a rental provider"),
    "recommend:cost.egress_gb_month": N_("nothing sent out"),
    "recommend:cost.peak_time_share": N_("the whole machine is wanted all the time"),
}
"""By section and path of the field, as `field_table.sections` lists them."""
