-- Trendy 2.0: settings and pinned types move from the preferences into the store, so that they sync.
--
-- This file has shipped. It is never edited; a change is a new file with the next number.
--
-- Only the key is required. Whoever fills a row from old preferences knows just some of its columns.

-- One row in all, with id 'settings'. NULL means "not chosen".
CREATE TABLE TrendySettings (
    id TEXT NOT NULL,
    weekStartsOn INTEGER,       -- 1 is Monday, 7 is Sunday
    tracksLocation INTEGER,     -- 0 or 1
    defaultRadiusMeters REAL,
    chartStyle TEXT,            -- bars, line or heatmap
    updatedAt INTEGER
);

CREATE INDEX TrendySettings_id ON TrendySettings (id);

-- A row means the type is on the first screen; the earliest row of a type is the one that counts.
CREATE TABLE PinnedType (
    eventTypeId TEXT NOT NULL,  -- the key, and EventType.id
    pinnedAt INTEGER
);

CREATE INDEX PinnedType_eventTypeId ON PinnedType (eventTypeId);
