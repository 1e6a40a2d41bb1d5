-- Luego 1.0: the articles.
--
-- This file has shipped. It is never edited; a change is a new file with the next number.
--
-- The key is the article's address as it was saved, byte for byte: the app has no other name for an article, and neither
-- has the share sheet, which adds a row without looking whether there is one. So an address may be there twice.
--
-- Dates are ISO 8601; the app writes UTC with milliseconds, the share sheet the local time with its offset.

CREATE TABLE Article (
    url TEXT NOT NULL,          -- the key
    title TEXT NOT NULL,
    site TEXT,                  -- NULL: the page did not say
    excerpt TEXT,               -- NULL: not fetched yet
    minutes INTEGER,            -- to read it. NULL: not fetched yet
    savedAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL
);

CREATE INDEX Article_url ON Article (url);
