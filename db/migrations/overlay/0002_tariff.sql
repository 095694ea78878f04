-- Electricity as the person's own bill or contract says; over a recorded tariff of the same id, or beside them.

CREATE TABLE tariff (
    id TEXT PRIMARY KEY CHECK (id <> ''),
    name TEXT NOT NULL,
    region TEXT NOT NULL CHECK (region IN ('CN', 'US', 'EU', 'world')),
    customer TEXT NOT NULL,
    per_kwh_low TEXT NOT NULL CHECK (CAST(per_kwh_low AS REAL) > 0),
    per_kwh_high TEXT NOT NULL,
    currency TEXT NOT NULL CHECK (currency IN ('CNY', 'USD')),
    kg_co2_per_kwh REAL CHECK (kg_co2_per_kwh >= 0),
    source TEXT NOT NULL DEFAULT '',
    date TEXT,
    evidence_kind TEXT NOT NULL CHECK (evidence_kind IN ('measured', 'vendor', 'calculated', 'assumed')),
    note TEXT NOT NULL DEFAULT '',
    periods TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(periods)),
    CHECK (CAST(per_kwh_high AS REAL) >= CAST(per_kwh_low AS REAL))
) STRICT, WITHOUT ROWID;
