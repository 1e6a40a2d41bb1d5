-- Deets 1.0: business cards, and where their owners were met.
--
-- This file has shipped. It is never edited; a change is a new file with the next number.
--
-- Ids are upper-case UUIDs. Dates are seconds since 2001-01-01 in UTC, with a fraction: how the app's own classes count
-- time. No unique constraint and no foreign key, since two devices may add records before they hear of each other.

CREATE TABLE Card (
    id TEXT NOT NULL,
    fullName TEXT NOT NULL,
    company TEXT,
    jobTitle TEXT,
    email TEXT,
    phone TEXT,
    notes TEXT,
    photo BLOB,                     -- a PNG of the card's face. NULL: typed in by hand
    isLocalOnly INTEGER NOT NULL DEFAULT 1, -- 1: no other device has been sent this card yet; the app clears it
    dateCreated REAL NOT NULL,
    dateModified REAL               -- NULL in cards of the test release: they lose against any dated one
);

CREATE INDEX Card_id ON Card (id);

CREATE TABLE Encounter (
    id TEXT NOT NULL,
    cardId TEXT NOT NULL,           -- Card.id
    place TEXT NOT NULL,
    metAt REAL NOT NULL,
    dateModified REAL
);

CREATE INDEX Encounter_id ON Encounter (id);
CREATE INDEX Encounter_cardId ON Encounter (cardId);
