import GodwitTestSupport

/// A record of a generated container, with what the test knows of it better than any parser: its instant.
struct SampleRecord: Hashable {
    let entity: String
    let key: String
    /// A text of its own, in a column of its own, by which it is found again.
    let marker: String
    /// Milliseconds since 1970; nil where the text is no date.
    let date: Int64?
    /// How the date is written.
    let dateText: String?
    var parent = ""

    /// The statement that stores it.
    var insertion: String {
        let (k, m) = (Self.literal(key), Self.literal(marker))
        let d = dateText.map(Self.literal) ?? "NULL"
        return switch entity {
        case "Workout":
            "INSERT INTO Workout(id, title, startedAt, createdAt, updatedAt) VALUES (\(k), \(m), 's', 'c', \(d));"
        case "ExerciseSet":
            """
            INSERT INTO ExerciseSet(id, workoutId, exerciseId, position, createdAt, updatedAt)
              VALUES (\(k), \(Self.literal(parent)), \(m), 1, 'c', \(d));
            """
        case "FavoriteExercise":
            "INSERT INTO FavoriteExercise(exerciseId, note, createdAt) VALUES (\(k), \(m), \(d));"
        default: "INSERT INTO UserSettings(id, theme, updatedAt) VALUES (\(k), \(m), \(d));"
        }
    }

    /// The column that holds the marker.
    static func markerColumn(of entity: String) -> String {
        switch entity {
        case "Workout": "title"
        case "ExerciseSet": "exerciseId"
        case "FavoriteExercise": "note"
        default: "theme"
        }
    }

    static func keyColumn(of entity: String) -> String { entity == "FavoriteExercise" ? "exerciseId" : "id" }

    private static func literal(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}

extension SampleRecord {
    /// An instant written in one of many ways, all of them ISO 8601.
    static func write(_ milliseconds: Int64, _ dice: inout Dice) -> String {
        let offset = Int64(dice.pick([0, 0, 540, -300, 345, 330]))
        let local = milliseconds + offset * 60_000
        let (day, time) = (floorDivide(local, 86_400_000), local - floorDivide(local, 86_400_000) * 86_400_000)
        let (year, month, date) = civil(day)
        let fraction =
            time % 1000 == 0 && dice.hits(oneIn: 2) ? "" : "." + pad(time % 1000, 3) + dice.pick(["", "000"])
        let clock = "\(pad(time / 3_600_000, 2)):\(pad(time / 60_000 % 60, 2)):\(pad(time / 1000 % 60, 2))\(fraction)"
        let zone =
            offset == 0
            ? dice.pick(["Z", "+00:00"])
            : "\(offset < 0 ? "-" : "+")\(pad(abs(offset) / 60, 2)):\(pad(abs(offset) % 60, 2))"
        return "\(pad(year, 4))-\(pad(month, 2))-\(pad(date, 2))T\(clock)\(zone)"
    }

    private static func pad(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : -((-a + b - 1) / b) }

    /// Days since 1970 as a date: <https://howardhinnant.github.io/date_algorithms.html#civil_from_days>.
    private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
        let z = days + 719_468
        let era = floorDivide(z, 146_097)
        let doe = z - era * 146_097
        let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365
        let doy = doe - (365 * yoe + yoe / 4 - yoe / 100)
        let mp = (5 * doy + 2) / 153
        let month = mp < 10 ? mp + 3 : mp - 9
        return (yoe + era * 400 + (month <= 2 ? 1 : 0), month, doy - (153 * mp + 2) / 5 + 1)
    }
}
