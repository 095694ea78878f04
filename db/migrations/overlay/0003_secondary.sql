-- An edit may rest on a third party's table: a database, a review, the press.

CREATE TABLE edit_of_any_kind (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT CHECK (value IS NULL OR json_valid(value)),
    source TEXT NOT NULL DEFAULT '',
    date TEXT,
    evidence_kind TEXT NOT NULL
        CHECK (evidence_kind IN ('measured', 'vendor', 'secondary', 'calculated', 'assumed')),
    note TEXT NOT NULL DEFAULT '',
    changed_at TEXT NOT NULL,
    PRIMARY KEY (kind, id, field)
) STRICT, WITHOUT ROWID;

INSERT INTO edit_of_any_kind SELECT * FROM edit;
DROP TABLE edit;
ALTER TABLE edit_of_any_kind RENAME TO edit;
