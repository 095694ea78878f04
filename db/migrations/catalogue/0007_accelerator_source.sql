-- The makers' own pages: which fields of an accelerator each of them states as the catalogue has them.

CREATE TABLE accelerator_source (
    accelerator_id TEXT NOT NULL REFERENCES accelerator (id),
    address TEXT NOT NULL CHECK (address LIKE 'https://%'),
    date TEXT NOT NULL CHECK (date GLOB '[12][0-9][0-9][0-9]*'),
    fields TEXT NOT NULL CHECK (fields <> ''),
    PRIMARY KEY (accelerator_id, address)
) STRICT;
