import Libc

/// Sleeps; only to wait for other processes.
package func pause(milliseconds: UInt32) {
    usleep(milliseconds * 1000)
}
