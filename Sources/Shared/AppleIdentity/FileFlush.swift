import Foundation

/// Makes a written file survive a power failure.
package enum FileFlush {
    /// Waits until the drive has stored a file, or the names in a folder.
    ///
    /// On Apple's systems `fsync` leaves the data in the drive's cache; `F_FULLFSYNC` flushes the cache too, if
    /// the file system supports it.
    ///
    /// Source: [fsync(2)](https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/fsync.2.html)
    ///
    /// - Returns: whether it is stored; if not, `errno` has the reason.
    package static func flush(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(descriptor) == 0
    }
}
