-- What the user adds, changes and hides; laid over the bundled catalogue when it is read.

CREATE TABLE addition (
    kind TEXT NOT NULL,
    id TEXT NOT NULL CHECK (id <> ''),
    data TEXT NOT NULL CHECK (json_valid(data)),
    changed_at TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE edit (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT CHECK (value IS NULL OR json_valid(value)),
    source TEXT NOT NULL DEFAULT '',
    date TEXT,
    evidence_kind TEXT NOT NULL CHECK (evidence_kind IN ('measured', 'vendor', 'calculated', 'assumed')),
    note TEXT NOT NULL DEFAULT '',
    changed_at TEXT NOT NULL,
    PRIMARY KEY (kind, id, field)
) STRICT, WITHOUT ROWID;

CREATE TABLE hidden (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    changed_at TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

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
    date TEXT,
    source TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL CHECK (kind IN ('street', 'list', 'quote', 'converted', 'assumed')),
    basis TEXT NOT NULL DEFAULT '',
    confidence TEXT NOT NULL DEFAULT 'low' CHECK (confidence IN ('high', 'medium', 'low')),
    lead_time_days INTEGER CHECK (lead_time_days >= 0),
    stock_note TEXT NOT NULL DEFAULT '',
    CHECK (CAST(high AS REAL) >= CAST(low AS REAL))
) STRICT, WITHOUT ROWID;

CREATE TABLE exchange_rate (
    base TEXT NOT NULL CHECK (base IN ('CNY', 'USD')),
    target TEXT NOT NULL CHECK (target IN ('CNY', 'USD')),
    rate TEXT NOT NULL CHECK (CAST(rate AS REAL) > 0),
    date TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    evidence_kind TEXT NOT NULL CHECK (evidence_kind IN ('measured', 'vendor', 'calculated', 'assumed')),
    note TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (base, target, date)
) STRICT, WITHOUT ROWID;

CREATE TABLE cloud_offer (
    provider TEXT NOT NULL,
    instance TEXT NOT NULL DEFAULT '',
    accelerator_text TEXT NOT NULL,
    accelerator_id TEXT,
    count INTEGER NOT NULL CHECK (count > 0),
    per_hour TEXT NOT NULL CHECK (CAST(per_hour AS REAL) > 0),
    currency TEXT NOT NULL CHECK (currency IN ('CNY', 'USD')),
    kind TEXT NOT NULL CHECK (kind IN ('on_demand', 'spot', 'reserved', 'estimate')),
    kind_text TEXT NOT NULL DEFAULT '',
    region TEXT NOT NULL DEFAULT '',
    date TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (provider, instance, accelerator_text, count, kind, kind_text, region, date)
) STRICT, WITHOUT ROWID;

CREATE TABLE measurement (
    task TEXT NOT NULL,
    id TEXT NOT NULL,
    quantity TEXT NOT NULL,
    value REAL NOT NULL,
    unit TEXT NOT NULL,
    request TEXT NOT NULL CHECK (json_valid(request)),
    source TEXT NOT NULL DEFAULT '',
    date TEXT,
    evidence_kind TEXT NOT NULL DEFAULT 'measured',
    licence TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    fields TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(fields)),
    PRIMARY KEY (task, id, quantity)
) STRICT, WITHOUT ROWID;

-- How the columns of a supplier's sheet were read the last time.
CREATE TABLE mapping (
    name TEXT PRIMARY KEY,
    data TEXT NOT NULL CHECK (json_valid(data)),
    changed_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One step is one edit or one import; its changes hold each row as it was and as it became.
CREATE TABLE step (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    made_at TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1))
) STRICT;

CREATE TABLE change (
    id INTEGER PRIMARY KEY,
    step_id INTEGER NOT NULL REFERENCES step (id) ON DELETE CASCADE,
    target TEXT NOT NULL,
    before TEXT CHECK (before IS NULL OR json_valid(before)),
    after TEXT CHECK (after IS NULL OR json_valid(after)),
    CHECK (before IS NOT NULL OR after IS NOT NULL)
) STRICT;

CREATE INDEX change_step ON change (step_id);
