import Accounts
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The temporary file of a backup, locked until the backup gets its final name.
///
/// The system releases the lock when the process dies. An unlocked file was left by a killed backup and is removed. It
/// is never written to, because it may be a finished backup under its second name.
final class UnfinishedCopy: Sendable {
    /// How often creating the file is tried while other processes create and remove it.
    private static let maximumAttemptCount = 10

    let path: String
    private let descriptor: Int32

    /// Creates the file, which only its owner can read.
    ///
    /// - Throws: `AccountStoreError` when another backup is being written to the same path, or the path is not writable.
    init(path: String) throws(AccountStoreError) {
        self.path = path
        for _ in 0..<Self.maximumAttemptCount {
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor >= 0 {
                // Another process may have removed the file as stale before it was locked.
                if Self.locks(descriptor), Self.isFile(descriptor, at: path) {
                    self.descriptor = descriptor
                    return
                }
                FileLock.close(descriptor)
            } else if errno == EEXIST {
                try Self.removeStale(path)
            } else {
                throw .ofSystem("can't write \(path)")
            }
        }
        throw Self.underWay(path)
    }

    /// Removes the file unless it was renamed, because then the path may be another process's file.
    func remove() {
        if Self.isFile(descriptor, at: path) { Self.remove(path) }
    }

    deinit {
        FileLock.close(descriptor)
    }

    private static func removeStale(_ path: String) throws(AccountStoreError) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw .ofSystem("can't open \(path), which already exists")
        }
        defer { FileLock.close(descriptor) }
        guard locks(descriptor) else { throw underWay(path) }
        if isFile(descriptor, at: path) { remove(path) }
    }

    private static func locks(_ descriptor: Int32) -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Whether the path is still that of the opened file.
    private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var opened = stat()
        var found = stat()
        return fstat(descriptor, &opened) == 0 && lstat(path, &found) == 0
            && opened.st_dev == found.st_dev && opened.st_ino == found.st_ino
    }

    private static func remove(_ path: String) {
        for suffix in SQLiteDatabase.companionSuffixes + [""] { _ = unlink(path + suffix) }
    }

    private static func underWay(_ path: String) -> AccountStoreError {
        AccountStoreError(.failed, hint: "another backup is being written to \(path)")
    }
}

extension AccountStoreError {
    /// Creates an error with the reason of the last failed system call.
    static func ofSystem(_ words: String) -> AccountStoreError {
        AccountStoreError(.failed, hint: "\(words): \(String(cString: strerror(errno)))")
    }
}
