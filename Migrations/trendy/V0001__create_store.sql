-- Trendy 1.0: events, and what kinds of events there are.
--
-- This file has shipped. It is never edited; a change is a new file with the next number.
--
-- Ids are upper-case UUIDs. Dates are whole milliseconds since 1970 in UTC, as the service sent them that Trendy used to
-- sync with. No unique constraint and no foreign key: an event may arrive before its type.

CREATE TABLE EventType (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    colorHex TEXT NOT NULL,     -- #RRGGBB
    iconName TEXT NOT NULL,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL
);

CREATE INDEX EventType_id ON EventType (id);

CREATE TABLE Event (
    id TEXT NOT NULL,
    eventTypeId TEXT NOT NULL,  -- EventType.id
    occurredAt INTEGER NOT NULL,
    endedAt INTEGER,            -- NULL: a moment, not a span
    isAllDay INTEGER NOT NULL DEFAULT 0,
    amount REAL,                -- in whatever the type counts. NULL: it only happened
    note TEXT,
    updatedAt INTEGER NOT NULL
);

CREATE INDEX Event_id ON Event (id);
CREATE INDEX Event_eventTypeId ON Event (eventTypeId);
