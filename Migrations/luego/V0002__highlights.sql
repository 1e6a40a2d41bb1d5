-- Luego 1.4: passages that a reader marked.
--
-- This file has shipped. It is never edited; a change is a new file with the next number.

CREATE TABLE Highlight (
    id TEXT NOT NULL,           -- an upper-case UUID
    articleUrl TEXT NOT NULL,   -- Article.url
    quote TEXT NOT NULL,
    note TEXT,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL
);

CREATE INDEX Highlight_id ON Highlight (id);
CREATE INDEX Highlight_articleUrl ON Highlight (articleUrl);
