import Libc

/// Sleeps; for waiting on other processes only.
package func pause(milliseconds: UInt32) {
    usleep(milliseconds * 1000)
}
