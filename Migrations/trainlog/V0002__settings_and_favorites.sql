-- TrainLog 2.0: settings and favourites move from the preferences file into the store, so that they sync.
--
-- This file has shipped. It is never edited; a change is a new file with the next number.
--
-- Only the key is required. Whoever fills a row from old preferences knows just some of its columns.

-- One row in all. It can't be enforced here (see V0001), so the app reads the row with id 'singleton'.
-- NULL means "not chosen": the app shows its own default, which may change from one release to the next.
CREATE TABLE UserSettings (
    id TEXT NOT NULL,
    weightUnitRaw TEXT,         -- kg or lb: the unit on screen. ExerciseSet.weightKg stays in kilograms either way
    theme TEXT,                 -- system, light or dark
    restTimerSeconds INTEGER,
    soundEnabled INTEGER,       -- 0 or 1
    createdAt TEXT,
    updatedAt TEXT
);

CREATE INDEX UserSettings_id ON UserSettings (id);

-- A row means the exercise is a favourite; the earliest row of an exercise is the one that counts.
CREATE TABLE FavoriteExercise (
    exerciseId TEXT NOT NULL,   -- the key: an exercise is a favourite or is not
    note TEXT,
    createdAt TEXT
);

CREATE INDEX FavoriteExercise_exerciseId ON FavoriteExercise (exerciseId);
