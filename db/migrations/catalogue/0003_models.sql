-- Neural models and their shapes.

CREATE TABLE model (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'model' CHECK (item_kind = 'model'),
    kind TEXT NOT NULL CHECK (kind IN ('decoder', 'encoder', 'diffusion', 'vision')),
    family TEXT NOT NULL DEFAULT '',
    hugging_face TEXT NOT NULL DEFAULT '',
    licence TEXT NOT NULL DEFAULT '',
    parameters INTEGER NOT NULL CHECK (parameters > 0),
    active_parameters INTEGER CHECK (active_parameters > 0),
    native_precision TEXT NOT NULL DEFAULT 'bf16',
    vision_parameters INTEGER CHECK (vision_parameters > 0),
    image_tokens_default INTEGER CHECK (image_tokens_default > 0),
    release TEXT,
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;

CREATE TABLE architecture (
    model_id TEXT PRIMARY KEY REFERENCES model (id),
    layers INTEGER NOT NULL CHECK (layers > 0),
    hidden INTEGER NOT NULL CHECK (hidden > 0),
    heads INTEGER NOT NULL CHECK (heads > 0),
    kv_heads INTEGER NOT NULL CHECK (kv_heads > 0),
    head_dim INTEGER NOT NULL CHECK (head_dim > 0),
    ffn INTEGER NOT NULL CHECK (ffn >= 0),
    vocab INTEGER NOT NULL CHECK (vocab > 0),
    gated_mlp INTEGER NOT NULL DEFAULT 1 CHECK (gated_mlp IN (0, 1)),
    tied_embeddings INTEGER NOT NULL DEFAULT 0 CHECK (tied_embeddings IN (0, 1)),
    experts INTEGER NOT NULL DEFAULT 0 CHECK (experts >= 0),
    experts_per_token INTEGER NOT NULL DEFAULT 0 CHECK (experts_per_token >= 0),
    expert_ffn INTEGER CHECK (expert_ffn > 0),
    expert_hidden INTEGER CHECK (expert_hidden > 0),
    shared_experts INTEGER NOT NULL DEFAULT 0 CHECK (shared_experts >= 0),
    shared_expert_ffn INTEGER CHECK (shared_expert_ffn > 0),
    dense_layers INTEGER NOT NULL DEFAULT 0 CHECK (dense_layers >= 0),
    kv_shared_layers INTEGER NOT NULL DEFAULT 0 CHECK (kv_shared_layers >= 0),
    full_head_dim INTEGER CHECK (full_head_dim > 0),
    full_kv_heads INTEGER CHECK (full_kv_heads > 0),
    attention_bias INTEGER CHECK (attention_bias IN (0, 1)),
    qk_norm INTEGER CHECK (qk_norm IN (0, 1)),
    positions INTEGER NOT NULL DEFAULT 0 CHECK (positions >= 0),
    max_context INTEGER CHECK (max_context > 0),
    parameters INTEGER CHECK (parameters > 0),
    active_parameters INTEGER CHECK (active_parameters > 0),
    extra_parameters INTEGER NOT NULL DEFAULT 0 CHECK (extra_parameters >= 0),
    mla_kv_rank INTEGER,
    mla_rope_dim INTEGER,
    mla_q_rank INTEGER,
    mla_nope_dim INTEGER,
    mla_value_dim INTEGER,
    full_layers INTEGER,
    sliding_layers INTEGER,
    window INTEGER,
    linear_layers INTEGER,
    linear_state_bytes INTEGER,
    cached_values INTEGER CHECK (cached_values > 0),
    CHECK ((mla_kv_rank IS NULL) = (mla_rope_dim IS NULL))
) STRICT;

CREATE TABLE diffusion (
    model_id TEXT PRIMARY KEY REFERENCES model (id),
    latent_channels INTEGER NOT NULL CHECK (latent_channels > 0),
    spatial_downscale INTEGER NOT NULL CHECK (spatial_downscale > 0),
    temporal_downscale INTEGER NOT NULL DEFAULT 1 CHECK (temporal_downscale > 0),
    patch INTEGER NOT NULL DEFAULT 1 CHECK (patch > 0),
    width INTEGER NOT NULL CHECK (width > 0),
    height INTEGER NOT NULL CHECK (height > 0),
    frames INTEGER NOT NULL DEFAULT 1 CHECK (frames > 0),
    frames_per_s REAL CHECK (frames_per_s > 0),
    steps INTEGER NOT NULL CHECK (steps > 0),
    guidance_passes INTEGER NOT NULL DEFAULT 2 CHECK (guidance_passes > 0),
    reference_images INTEGER NOT NULL DEFAULT 0 CHECK (reference_images >= 0)
) STRICT;

CREATE TABLE diffusion_component (
    model_id TEXT NOT NULL REFERENCES diffusion (model_id),
    position INTEGER NOT NULL,
    role TEXT NOT NULL,
    name TEXT NOT NULL,
    network TEXT NOT NULL,
    parameters INTEGER NOT NULL CHECK (parameters > 0),
    layers INTEGER CHECK (layers > 0),
    single_layers INTEGER CHECK (single_layers > 0),
    hidden INTEGER CHECK (hidden > 0),
    heads INTEGER CHECK (heads > 0),
    head_dim INTEGER CHECK (head_dim > 0),
    ffn INTEGER CHECK (ffn > 0),
    text_tokens INTEGER CHECK (text_tokens > 0),
    forward_flop REAL CHECK (forward_flop > 0),
    layers_text TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (model_id, position)
) STRICT;

CREATE TABLE vision (
    model_id TEXT PRIMARY KEY REFERENCES model (id),
    network TEXT NOT NULL,
    image_size INTEGER NOT NULL CHECK (image_size > 0),
    forward_flop REAL NOT NULL CHECK (forward_flop > 0),
    patch INTEGER CHECK (patch > 0),
    layers INTEGER CHECK (layers > 0),
    hidden INTEGER CHECK (hidden > 0),
    heads INTEGER CHECK (heads > 0),
    ffn INTEGER CHECK (ffn > 0),
    classes INTEGER NOT NULL DEFAULT 1000 CHECK (classes > 0),
    activation_elements REAL CHECK (activation_elements > 0)
) STRICT;
