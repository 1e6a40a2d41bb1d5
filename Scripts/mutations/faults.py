"""Fifty deliberate faults, each one expression in one line, spread over all targets of the product.

A fault is a file under Sources, a piece of its text that occurs once and marks an expression by ‹ ›, and what takes the
expression's place.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Fault:
    """One expression of one file and the wrong one instead."""

    file: str
    text: str
    wrong: str

    @property
    def target(self) -> str:
        return self.file.split("/")[0]

    def located(self, sources: Path) -> Path | None:
        """The file with this text in another commit's sources, where it may have another folder; None if there is none."""
        usual = sources / self.file
        places = [usual] if usual.exists() else sorted(sources.rglob(usual.name)) or sorted(sources.rglob("*.swift"))
        found = [place for place in places if place.read_text().count(self.plain) == 1]
        return found[0] if len(found) == 1 else None

    @property
    def plain(self) -> str:
        return self.text.replace("‹", "").replace("›", "")

    def applied(self, source: str, number: int) -> str:
        """The file's text with both expressions, the wrong one where this fault's number is chosen."""
        before, rest = self.text.split("‹")
        right, after = rest.split("›")
        found = before + right + after
        if source.count(found) != 1:
            raise LookupError(f"fault {number}: {self.file} has `{found}` {source.count(found)} times instead of once")
        return source.replace(found, f"{before}(isFaultSwitchedOn({number}) ? ({self.wrong}) : ({right})){after}")


FAULTS = [Fault(*parts) for parts in [
    ("GodwitModel/Values/Instant+ISO8601.swift",
     "‹dayOfYear - (153 * shifted + 2) / 5 + 1›", "dayOfYear - (153 * shifted + 2) / 5"),
    ("GodwitJSON/UTF8Validity.swift",
     "‹index + offset < count && range.contains(self[index + offset])›", "index + offset < count"),
    ("GodwitModel/Manifest/NearestName.swift", "‹self >= 0x41 && self <= 0x5A ? self | 0x20 : self›", "self"),
    ("GodwitManifest/ManifestSection.swift", "‹path.isEmpty ? key : \"\\(path).\\(key)\"›", "key"),
    ("GodwitModel/Manifest/ColumnAffinity.swift",
     "‹self == .text || self == .blob || !text.looksLikeNumber›", "self == .text || !text.looksLikeNumber"),
    ("GodwitJSON/JSONCursor.swift", "guard ‹byte >= 0x20› else", "byte >= 0x1F"),
    ("GodwitSQLite/Reading/StoreHeader.swift", "‹bytes[19] == 2›", "bytes[18] == 3"),
    ("GodwitFiles/AtomicFile.swift",
     "guard ‹try FileStatus.ofLink(target) == before›", "try FileStatus.ofLink(target) != nil"),
    ("GodwitFiles/FileOwnership.swift", "‹mode & (0o7707 | (mode & 0o007) << 3)›", "mode"),
    ("GodwitLedger/RunHistory.swift", "‹count >= 0› {", "true"),
    ("GodwitSQLite/SQLite/NegativeZero.swift", "‹sqlite3_value_type(value) == SQLITE_FLOAT›", "false"),
    ("GodwitSQLite/Reading/LogHeader.swift",
     "‹Self.checksum(Array(bytes[..<24]))›", "[Self.word(bytes, at: 24), Self.word(bytes, at: 28)]"),
    ("GodwitCoreData/CoreDataValue.swift", "return ‹isNegative && body != \"0\"› ?", "isNegative"),
    ("GodwitSchema/SchemaFiles.swift", "‹file.version != index + 1›", "file.version < index + 1"),
    ("GodwitSchema/SchemaShape+Differences.swift", "‹defaultSQL == other.defaultSQL›", "true"),
    ("GodwitLegacy/Insertion/InsertionProof.swift", "guard ‹others == before› else", "true"),
    ("GodwitSchema/SchemaFile.swift", "‹max(0, 4 - digits.count)›", "max(0, 3 - digits.count)"),
    ("GodwitLegacy/Favorites/DecimalText.swift", "if ‹parts.count == 2› {", "parts.count == 3"),
    ("GodwitPropertyList/Binary/BinaryPropertyListReader.swift",
     "‹frames.count + child.height <= limits.depth›", "frames.count + child.height <= limits.depth + 1"),
    ("GodwitPropertyList/Editing/BinaryEdit.swift", "guard ‹count >= 15› else", "count >= 16"),
    ("GodwitLegacy/Favorites/FavoritesTally.swift", "‹all.filter { $0.value > 0 }›", "all.filter { $0.value > 1 }"),
    ("GodwitLegacy/Planning/LegacyPlanner.swift", "‹!lines.isEmpty›", "lines.isEmpty"),
    ("GodwitDedupe/DedupeStage.swift",
     "‹report.groups.count < Self.listedGroups›", "report.groups.count <= Self.listedGroups"),
    ("GodwitDedupe/GroupWork.swift",
     "reference.table == table.shape.name, ‹losers.contains(referrer.identity)› {", "false"),
    ("GodwitDedupe/Undo/RunSelection.swift", "‹$0.uppercased() == wanted›", "$0 == wanted"),
    ("GodwitDedupe/Undo/KeptKeys.swift", "guard ‹!changed.isEmpty› else", "changed.isEmpty"),
    ("GodwitCopy/Comparing/SortedPairs.swift", "else { low = ‹middle + 1› }", "middle + 2"),
    ("GodwitCopy/Comparing/RowSeeker.swift", "guard let row, ‹row < wanted› else", "row <= wanted"),
    ("GodwitCopy/EntityMerge+Refusals.swift", "‹self == .noted ? .refused : .noted›", "self"),
    ("GodwitSQLite/SQLite/MissingValueSearch.swift", "‹affinity == Self.affinity(of: other, shape)›", "true"),
    ("GodwitExport/Sorting/RecordMerge.swift",
     "‹readers[heap[child].run].order.order(against: readers[first.run].order) == 0›", "false"),
    ("GodwitExport/Writing/ExportHeader.swift",
     "‹layout == .lines ? Self.onOneLine(json.bytes) : json.bytes›", "json.bytes"),
    ("GodwitJSON/JSONNumber.swift", "guard ‹isExact›, magnitude", "true"),
    ("GodwitExport/Reading/DocumentReading.swift", "guard ‹count == entity.count› else", "count <= entity.count"),
    ("GodwitSync/State/SyncState+Summary.swift", "if ‹network == .online› {", "network != .offline"),
    ("GodwitSync/State/SyncState.swift", "‹later > began›", "later >= began"),
    ("GodwitSync/Freshness/FreshnessInputs+Reasons.swift", "‹seconds / 60 % 60›", "seconds / 60"),
    ("GodwitInspect/Columns/DateEncoding.swift", "low >= 9e8, ‹high < 1e10› {", "high < 1e9"),
    ("GodwitInspect/Drafting/Draft.swift",
     "‹reference.parent != own && !settled.contains(reference.parent)›",
     "!settled.contains(reference.parent) && false"),
    ("GodwitInspect/Columns/ColumnTally.swift",
     "if ‹samples.count < keptSamples› { keep", "samples.count <= keptSamples"),
    ("GodwitRender/Stages/RunReport+UndoSection.swift", "if ‹kept > 0› {", "kept > 1"),
    ("GodwitRender/GitHub/Annotations.swift", "commands.prefix(‹maxOfLevel - 1›)", "maxOfLevel"),
    ("Godwit/Run/Steps/RunLedger.swift", "if role == .local, ‹isCoreData› {", "true"),
    ("Godwit/Run/SurveyReading.swift", "guard hasLocal, ‹try !flag.isSet()›,", "try flag.isSet()"),
    ("GodwitService/Timetable/ExportTimetable.swift", "‹min(delay * 2, longest)›", "min(delay * 4, longest)"),
    ("GodwitService/Schedule/ScheduledExport+Cron.swift",
     "‹1_440 % minutes == 0 && minutes % 60 == 0›", "minutes % 60 == 0"),
    ("GodwitFleet/Containers/ContainerList.swift", "isLines && ‹row.last == 0x0D›", "false"),
    ("GodwitFleet/Containers/Glob.swift", "‹(last.step, last.reach + 1)›", "(last.step, last.reach)"),
    ("GodwitBackup/NewRecordSearch.swift", "return !‹isEarlier(row.value(2))›", "!isEarlier(row.value(2))"),
    ("GodwitCLI/Options/WritingOptions.swift", "if ‹choices.strict›, report.isDoubtful", "false"),
]]
