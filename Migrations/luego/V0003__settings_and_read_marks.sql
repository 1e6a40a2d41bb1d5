-- Luego 2.0: what was read, and how the reader looks, move from the preferences into the store, so that they sync.
--
-- This file has shipped. It is never edited; a change is a new file with the next number.
--
-- Only the key is required. Whoever fills a row from old preferences knows just some of its columns.

-- A row means the article was read; the earliest row of an address is the one that counts. The article itself may be
-- gone: marks were never cleaned up, and a mark that outlives its article makes a second saving of it show as read.
CREATE TABLE ReadMark (
    url TEXT NOT NULL,          -- the key
    readAt TEXT
);

CREATE INDEX ReadMark_url ON ReadMark (url);

-- One row in all, with id 'reader'. NULL means "not chosen".
CREATE TABLE ReaderSettings (
    id TEXT NOT NULL,
    theme TEXT,                 -- light, sepia or dark
    textSize INTEGER,           -- points
    lineSpacing REAL,           -- times the text's size
    sortOrder TEXT,             -- newestFirst, oldestFirst or shortestFirst
    openLinksInApp INTEGER,     -- 0 or 1
    updatedAt TEXT
);

CREATE INDEX ReaderSettings_id ON ReaderSettings (id);
