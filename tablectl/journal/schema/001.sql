-- Journal of one dealer table, schema version 1. Times: mono_ns is nanoseconds of the monotonic clock since the start of
-- the machine, wall is RFC 3339 in UTC. What hash covers is written in the package's docstring.

CREATE TABLE row (
    seq     INTEGER PRIMARY KEY CHECK (seq > 0),            -- 1, 2, 3 ... without gaps: the order of everything
    prev    BLOB    NOT NULL CHECK (length(prev) = 32),     -- hash of the row before; 32 zero bytes in row 1
    hash    BLOB    NOT NULL CHECK (length(hash) = 32),     -- SHA-256 over all columns of this row but secret
    kind    TEXT    NOT NULL,
    boot    TEXT    NOT NULL,                               -- which start of the daemon wrote the row
    mono_ns INTEGER NOT NULL,
    wall    TEXT    NOT NULL,
    synced  INTEGER NOT NULL CHECK (synced IN (0, 1)),      -- 1: the wall clock was synchronised
    step    INTEGER,                                        -- of the procedure, where the row belongs to one
    body    TEXT    NOT NULL,                               -- canonical JSON
    secret  BLOB                                            -- identities of face-down cards; never leaves this file
) STRICT;

-- The kinds of which few rows are looked for among many. With an index of all kinds each commit would write a page more
-- for every kind in it.
CREATE INDEX row_of_rare_kind ON row (kind) WHERE kind = 'snapshot' OR kind = 'head';

-- A guard against our own mistakes. Whoever means to forge a row drops it first, and is found by the chain.
CREATE TRIGGER row_is_never_deleted BEFORE DELETE ON row
BEGIN
    SELECT raise(ABORT, 'rows of the journal are never deleted');
END;

CREATE TRIGGER row_is_never_changed
BEFORE UPDATE OF seq, prev, hash, kind, boot, mono_ns, wall, synced, step, body ON row
BEGIN
    SELECT raise(ABORT, 'rows of the journal are never changed');
END;

-- How far a reader of the journal has got: not history, so not chained.
CREATE TABLE outbox (
    name   TEXT    PRIMARY KEY,
    cursor INTEGER NOT NULL
) STRICT;
