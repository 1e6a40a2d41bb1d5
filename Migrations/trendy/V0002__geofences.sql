-- Trendy 1.3: places that record an event by themselves when the phone comes or goes.
--
-- This file has shipped. It is never edited; a change is a new file with the next number.

CREATE TABLE Geofence (
    id TEXT NOT NULL,
    eventTypeId TEXT NOT NULL,  -- EventType.id: what is recorded
    name TEXT NOT NULL,
    latitude REAL NOT NULL,     -- degrees
    longitude REAL NOT NULL,    -- degrees
    radiusMeters REAL NOT NULL,
    notifyOnEntry INTEGER NOT NULL DEFAULT 1,
    notifyOnExit INTEGER NOT NULL DEFAULT 0,
    updatedAt INTEGER NOT NULL
);

CREATE INDEX Geofence_id ON Geofence (id);

-- Geofence.id: which place recorded the event. NULL: a person did.
ALTER TABLE Event ADD COLUMN geofenceId TEXT;
