-- What things cost, and the records the models are fitted to and tested against.

CREATE TABLE offer (
    id TEXT PRIMARY KEY,
    subject_kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    low TEXT NOT NULL CHECK (CAST(low AS REAL) > 0),
    high TEXT NOT NULL,
    currency TEXT NOT NULL CHECK (currency IN ('CNY', 'USD')),
    tax TEXT NOT NULL CHECK (tax IN ('included', 'excluded', 'unknown')),
    condition TEXT NOT NULL CHECK (condition IN ('new', 'used', 'modified', 'refurbished', 'unknown')),
    region TEXT NOT NULL CHECK (region IN ('CN', 'US', 'EU', 'world')),
    channel TEXT NOT NULL DEFAULT 'unknown'
        CHECK (channel IN ('retail', 'channel', 'grey', 'marketplace', 'list', 'unknown')),
    date TEXT CHECK (date GLOB '[12][0-9][0-9][0-9]*'),
    source TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL CHECK (kind IN ('street', 'list', 'quote', 'converted', 'assumed')),
    basis TEXT NOT NULL DEFAULT '',
    confidence TEXT NOT NULL DEFAULT 'low' CHECK (confidence IN ('high', 'medium', 'low')),
    lead_time_days INTEGER CHECK (lead_time_days >= 0),
    stock_note TEXT NOT NULL DEFAULT '',
    position INTEGER NOT NULL,
    FOREIGN KEY (subject_kind, subject_id) REFERENCES item (kind, id),
    CHECK (CAST(high AS REAL) >= CAST(low AS REAL)),
    CHECK (kind NOT IN ('converted', 'assumed') OR basis <> ''),
    CHECK (source <> '' OR basis <> '')
) STRICT;

CREATE INDEX offer_subject ON offer (subject_kind, subject_id);

CREATE TABLE cloud_offer (
    position INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    instance TEXT NOT NULL DEFAULT '',
    accelerator_text TEXT NOT NULL,
    accelerator_id TEXT REFERENCES accelerator (id),
    count INTEGER NOT NULL CHECK (count > 0),
    per_hour TEXT NOT NULL CHECK (CAST(per_hour AS REAL) > 0),
    currency TEXT NOT NULL CHECK (currency IN ('CNY', 'USD')),
    kind TEXT NOT NULL CHECK (kind IN ('on_demand', 'spot', 'reserved', 'estimate')),
    kind_text TEXT NOT NULL DEFAULT '',
    region TEXT NOT NULL DEFAULT '',
    date TEXT CHECK (date GLOB '[12][0-9][0-9][0-9]*'),
    source TEXT NOT NULL CHECK (source <> '')
) STRICT;

CREATE TABLE exchange_rate (
    base TEXT NOT NULL CHECK (base IN ('CNY', 'USD')),
    target TEXT NOT NULL CHECK (target IN ('CNY', 'USD')),
    rate TEXT NOT NULL CHECK (CAST(rate AS REAL) > 0),
    date TEXT NOT NULL CHECK (date GLOB '[12][0-9][0-9][0-9]*'),
    source TEXT NOT NULL CHECK (source <> ''),
    evidence_kind TEXT NOT NULL CHECK (evidence_kind IN ('measured', 'vendor', 'secondary', 'calculated', 'assumed')),
    note TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (base, target, date)
) STRICT;

CREATE TABLE tariff (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    region TEXT NOT NULL CHECK (region IN ('CN', 'US', 'EU', 'world')),
    customer TEXT NOT NULL,
    per_kwh_low TEXT NOT NULL CHECK (CAST(per_kwh_low AS REAL) > 0),
    per_kwh_high TEXT NOT NULL,
    currency TEXT NOT NULL CHECK (currency IN ('CNY', 'USD')),
    kg_co2_per_kwh REAL CHECK (kg_co2_per_kwh >= 0),
    source TEXT NOT NULL DEFAULT '',
    date TEXT CHECK (date GLOB '[12][0-9][0-9][0-9]*'),
    evidence_kind TEXT NOT NULL CHECK (evidence_kind IN ('measured', 'vendor', 'secondary', 'calculated', 'assumed')),
    note TEXT NOT NULL DEFAULT '',
    position INTEGER NOT NULL,
    CHECK (CAST(per_kwh_high AS REAL) >= CAST(per_kwh_low AS REAL))
) STRICT;

CREATE TABLE quant_format (
    position INTEGER PRIMARY KEY,
    format TEXT NOT NULL,
    family TEXT NOT NULL,
    scope TEXT NOT NULL,
    bits_per_weight REAL CHECK (bits_per_weight > 0),
    basis TEXT NOT NULL,
    model TEXT NOT NULL DEFAULT '',
    parameters REAL CHECK (parameters > 0),
    size_bytes REAL CHECK (size_bytes > 0),
    block_size INTEGER CHECK (block_size > 0),
    computed_bits_per_weight REAL CHECK (computed_bits_per_weight > 0),
    notes TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT '',
    source_note TEXT NOT NULL DEFAULT '',
    evidence_kind TEXT NOT NULL CHECK (evidence_kind IN ('measured', 'vendor', 'secondary', 'calculated', 'assumed'))
) STRICT;

-- A later row of the same name and scope takes the place of an earlier one: a fitted value follows its prior.
CREATE TABLE coefficient (
    "group" TEXT NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    value REAL,
    low REAL,
    high REAL,
    unit TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    date TEXT,
    evidence_kind TEXT NOT NULL CHECK (evidence_kind IN ('measured', 'vendor', 'secondary', 'calculated', 'assumed')),
    note TEXT NOT NULL DEFAULT '',
    PRIMARY KEY ("group", position)
) STRICT;

CREATE TABLE measurement (
    task TEXT NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    quantity TEXT NOT NULL,
    value REAL NOT NULL,
    unit TEXT NOT NULL,
    request TEXT NOT NULL CHECK (json_valid(request)),
    source TEXT NOT NULL CHECK (source <> ''),
    date TEXT,
    evidence_kind TEXT NOT NULL CHECK (evidence_kind IN ('measured', 'vendor', 'secondary', 'calculated', 'assumed')),
    licence TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    fields TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(fields)),
    PRIMARY KEY (task, position),
    UNIQUE (task, id, quantity)
) STRICT;

CREATE TABLE version (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
