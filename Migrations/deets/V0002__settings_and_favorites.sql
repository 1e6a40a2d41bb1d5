-- Deets 2.0: settings and favourites move from the preferences into the store, so that they sync.
--
-- This file has shipped. It is never edited; a change is a new file with the next number.
--
-- Only the key is required. Whoever fills a row from old preferences knows just some of its columns.

-- One row in all, with id 'box'. NULL means "not chosen".
CREATE TABLE DeetsSettings (
    id TEXT NOT NULL,
    sortedBy TEXT,                  -- name, company or date
    nameOrder TEXT,                 -- givenFirst or familyFirst
    scansOnLaunch INTEGER,          -- 0 or 1
    dateModified REAL
);

CREATE INDEX DeetsSettings_id ON DeetsSettings (id);

-- A row means the card is a favourite; the earliest row of a card is the one that counts.
CREATE TABLE FavoriteCard (
    cardId TEXT NOT NULL,           -- the key, and Card.id
    dateModified REAL
);

CREATE INDEX FavoriteCard_cardId ON FavoriteCard (cardId);
