import Accounts
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file that a copy is written into until it has its name, locked for as long.
///
/// The system drops the lock when the process dies: what is there without one was left by a copy that was
/// killed, and is removed. It is never written into, as it may be the finished copy under its second name.
final class UnfinishedCopy: Sendable {
    /// How often making the file is tried while others make and remove it.
    private static let maximumAttemptCount = 10

    let path: String
    private let descriptor: Int32

    /// Makes the file, for its owner alone.
    ///
    /// - Throws: `AccountStoreError` when another copy is being written to the same place, or nothing can be.
    init(path: String) throws(AccountStoreError) {
        self.path = path
        for _ in 0..<Self.maximumAttemptCount {
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor >= 0 {
                // Another process may have taken it for a file that nobody writes.
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

    /// Removes the file, unless it has been renamed: then what is here may be another's.
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
            throw .ofSystem("can't open \(path), which is in the way")
        }
        defer { FileLock.close(descriptor) }
        guard locks(descriptor) else { throw underWay(path) }
        if isFile(descriptor, at: path) { remove(path) }
    }

    private static func locks(_ descriptor: Int32) -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Whether the path still leads to the file that was opened.
    private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var opened = stat()
        var found = stat()
        return fstat(descriptor, &opened) == 0 && lstat(path, &found) == 0
            && opened.st_dev == found.st_dev && opened.st_ino == found.st_ino
    }

    private static func remove(_ path: String) {
        for suffix in SQLiteAccountStore.companionSuffixes + [""] { _ = unlink(path + suffix) }
    }

    private static func underWay(_ path: String) -> AccountStoreError {
        AccountStoreError(.failed, hint: "another copy is being written to \(path)")
    }
}

extension AccountStoreError {
    /// What the system's last call failed with.
    static func ofSystem(_ words: String) -> AccountStoreError {
        AccountStoreError(.failed, hint: "\(words): \(String(cString: strerror(errno)))")
    }
}
