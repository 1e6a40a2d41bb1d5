-- What the same run had committed in the new cloud store when it was stopped, an instant before it set the flag:
-- schema history, the (empty) books of removed and changed records, and the receipts of copy and legacy import.

CREATE TABLE godwit_migration(
  version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, appliedAt TEXT NOT NULL,
  durationMs INTEGER NOT NULL, godwitVersion TEXT NOT NULL);
INSERT INTO godwit_migration VALUES
  (1,
   'create_store',
   'sha256-v1:f88e57e20e0eb05287ff54b802d405321e7d31778ac787af3104b297a47ed6b3',
   '2026-11-20T07:00:00.000Z',
   0,
   '0.1.0');
INSERT INTO godwit_migration VALUES
  (2,
   'settings_and_favorites',
   'sha256-v1:59b45aeeff6ce910146431a6061ff37b435c05df1fd05efbe377b9af3521c2d6',
   '2026-11-20T07:00:00.000Z',
   0,
   '0.1.0');

CREATE TABLE godwit_removed(
  id INTEGER PRIMARY KEY, entity TEXT NOT NULL, key, record TEXT NOT NULL, reason TEXT NOT NULL,
  winnerKey, runId TEXT NOT NULL, removedAt TEXT NOT NULL);

CREATE TABLE godwit_changed(
  id INTEGER PRIMARY KEY, entity TEXT NOT NULL, key, "column" TEXT NOT NULL, oldValue, newValue,
  reason TEXT NOT NULL, runId TEXT NOT NULL, changedAt TEXT NOT NULL);

CREATE TABLE godwit_receipt(
  stage TEXT PRIMARY KEY, runId TEXT NOT NULL, completedAt TEXT NOT NULL, manifestSha256 TEXT NOT NULL,
  godwitVersion TEXT NOT NULL, detail TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO godwit_receipt VALUES
  ('copy',
   '5F0C1A7E-3B52-4D0B-9A41-7C5E2B9D1A60',
   '2026-11-20T07:00:00.000Z',
   '22b15c76c8df2bd08df75f01d7a993ce24f1758fba1c8e944176a4c0ce7260ff',
   '0.1.0',
   '{"entities":[{"name":"Workout","local":40,"inserted":40,"updated":0,"equal":0,"cloudKept":0,"duplicates":0},{"name":"ExerciseSet","local":600,"inserted":600,"updated":0,"equal":0,"cloudKept":0,"duplicates":0},{"name":"FavoriteExercise","local":5,"inserted":5,"updated":0,"equal":0,"cloudKept":0,"duplicates":0},{"name":"UserSettings","local":1,"inserted":1,"updated":0,"equal":0,"cloudKept":0,"duplicates":0}]}');
INSERT INTO godwit_receipt VALUES
  ('legacy',
   '5F0C1A7E-3B52-4D0B-9A41-7C5E2B9D1A60',
   '2026-11-20T07:00:00.000Z',
   '22b15c76c8df2bd08df75f01d7a993ce24f1758fba1c8e944176a4c0ce7260ff',
   '0.1.0',
   '{"sources":[{"path":"Library/Preferences/com.example.trainlog.plist","size":300,"sha256":"607dda291f2953a1d1a6d936c7730c0b81a657c437727cb71fe43b05932f0b01","keys":9}],"buckets":{"localOnly":1,"migrated":5,"unmapped":3},"lines":9}');
