-- Periods of the day and tiers of a year of an electricity tariff; a tariff without either is flat.
CREATE TABLE tariff_period (
    tariff_id TEXT NOT NULL REFERENCES tariff (id),
    period TEXT NOT NULL CHECK (period IN ('sharp', 'peak', 'flat', 'valley')),
    hours_per_day REAL NOT NULL CHECK (hours_per_day > 0 AND hours_per_day <= 24),
    per_kwh TEXT NOT NULL CHECK (CAST(per_kwh AS REAL) > 0),
    position INTEGER NOT NULL,
    PRIMARY KEY (tariff_id, period)
) STRICT;

CREATE TABLE tariff_tier (
    tariff_id TEXT NOT NULL REFERENCES tariff (id),
    up_to_kwh_per_year REAL CHECK (up_to_kwh_per_year > 0),
    surcharge_per_kwh TEXT NOT NULL CHECK (CAST(surcharge_per_kwh AS REAL) >= 0),
    position INTEGER NOT NULL
) STRICT;
