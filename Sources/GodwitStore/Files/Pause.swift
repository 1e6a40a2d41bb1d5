#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Sleeps; for waiting on other processes only.
package func pause(milliseconds: UInt32) {
    usleep(milliseconds * 1000)
}
