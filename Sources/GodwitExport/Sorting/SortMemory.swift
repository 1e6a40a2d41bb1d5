/// Limits for memory during sorting, in bytes; tests use small ones, so that few records give many runs.
package struct SortMemory: Sendable {
    /// Size of a chunk; there are two, because one is filled while another is written.
    ///
    /// With 0, SQLite sorts.
    package let chunk: Int
    /// Total size of small tables that stay in memory until they are written.
    package let kept: Int
    /// Average and maximum size of a range of all runs; there are two.
    package let range: Int
    package let longestRange: Int
    /// Minimum number of bytes to read from a run at a time.
    package let smallestRead: Int
    /// Distance between samples of a run.
    package let sampleSpacing: Int64
    /// Size of all windows in a merge, for runs that cannot be read by ranges; very many runs need more.
    package let windows: Int
    /// Number of repeated keys that are always accepted, and the number of records per repeated key beyond that; with
    /// more repeated keys, SQLite sorts.
    package let unremarkable: Int
    package let recordsPerRepeatedKey: Int
    /// Minimum part of a run to return to the file system after the last read.
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
