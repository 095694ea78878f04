-- Places for several supplies, slots that split their lanes, and what joins machines and supplies.

ALTER TABLE chassis ADD COLUMN psu_places INTEGER CHECK (psu_places > 0);
ALTER TABLE motherboard ADD COLUMN slots_split INTEGER CHECK (slots_split IN (0, 1));

CREATE TABLE cable (
    id TEXT PRIMARY KEY,
    item_kind TEXT NOT NULL DEFAULT 'cable' CHECK (item_kind = 'cable'),
    cable_type TEXT NOT NULL DEFAULT '',
    interface TEXT NOT NULL DEFAULT '',
    rate_bits_per_s REAL CHECK (rate_bits_per_s > 0),
    length_mm REAL CHECK (length_mm > 0),
    FOREIGN KEY (item_kind, id) REFERENCES item (kind, id)
) STRICT;
