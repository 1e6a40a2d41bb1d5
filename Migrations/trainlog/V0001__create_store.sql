-- TrainLog 1.0: the workouts and the sets done in them.
--
-- This file has shipped. It is never edited; a change is a new file with the next number.
--
-- Keys carry a plain index and no unique constraint: a store that syncs through iCloud can't have one, because
-- two devices may add the same record before they hear of each other. One record per key is the app's care.
-- For the same reason there are no foreign keys: a set may arrive before its workout.
--
-- Ids are upper-case UUIDs. Dates are ISO 8601 in UTC with milliseconds: 2026-03-01T07:15:00.000Z

CREATE TABLE Workout (
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    notes TEXT,                 -- NULL: nothing was written
    startedAt TEXT NOT NULL,
    durationSeconds INTEGER,    -- NULL: the clock was never stopped
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL
);

CREATE INDEX Workout_id ON Workout (id);

CREATE TABLE ExerciseSet (
    id TEXT NOT NULL,
    workoutId TEXT NOT NULL,    -- Workout.id
    exerciseId TEXT NOT NULL,   -- an entry of the app's own list, such as bench-press
    position INTEGER NOT NULL,  -- 1 is the first set of the workout
    reps INTEGER,               -- NULL: not entered
    weightKg REAL,              -- always kilograms; never rewritten when the unit on screen changes. NULL: body weight
    isWarmup INTEGER NOT NULL DEFAULT 0,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL
);

CREATE INDEX ExerciseSet_id ON ExerciseSet (id);
CREATE INDEX ExerciseSet_workoutId ON ExerciseSet (workoutId);
