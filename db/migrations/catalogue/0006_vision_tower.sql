-- The image part of vision-language models.

CREATE TABLE vision_tower (
    model_id TEXT PRIMARY KEY REFERENCES model (id),
    layers INTEGER NOT NULL CHECK (layers > 0),
    hidden INTEGER NOT NULL CHECK (hidden > 0),
    heads INTEGER NOT NULL CHECK (heads > 0),
    ffn INTEGER NOT NULL CHECK (ffn > 0),
    gated_mlp INTEGER NOT NULL DEFAULT 0 CHECK (gated_mlp IN (0, 1)),
    patch INTEGER NOT NULL CHECK (patch > 0),
    patches_per_token INTEGER NOT NULL DEFAULT 1 CHECK (patches_per_token > 0)
) STRICT;
