/// How much memory records are put in order with, in bytes; little in tests, so that few records are many runs.
package struct SortMemory: Sendable {
    /// The records that are sorted at a time, and twice that, since one piece is filled while another is written; with 0
    /// SQLite sorts.
    package let chunk: Int
    /// What small tables that wait to be written may take of it in all.
    package let kept: Int
    /// What is read of all runs at a time, about and at the most; there are two of these.
    package let range: Int
    package let longestRange: Int
    /// What is read of a run at a time, at the least.
    package let smallestRead: Int
    /// How far apart the keys of a run are noted.
    package let sampleSpacing: Int64
    /// The windows through which runs are merged that can't be read by ranges of keys; with very many runs they take more.
    package let windows: Int
    /// So many records may share their keys inside a run, and one of so many beyond that; with more, SQLite sorts.
    package let unremarkable: Int
    package let recordsPerRepeatedKey: Int
    /// How much of a run is given back to the system at a time, once it has been read for the last time.
    package let givenBack: Int64

    package init(
        chunk: Int = 4 << 20, windows: Int = 8 << 20, unremarkable: Int = 1000, recordsPerRepeatedKey: Int = 100,
        givenBack: Int64 = 1 << 20
    ) {
        (self.chunk, self.windows, self.givenBack) = (chunk, windows, givenBack)
        kept = chunk / 2
        (range, longestRange) = (chunk / 4 * 3, chunk)
        (smallestRead, sampleSpacing) = (max(chunk / 4096, 1), max(Int64(chunk / 256), 64))
        (self.unremarkable, self.recordsPerRepeatedKey) = (unremarkable, recordsPerRepeatedKey)
    }
}
