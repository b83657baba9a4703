import Accounts
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A lock file of a database that one process keeps locked while it runs; the system releases the lock when the
/// process dies.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `AccountStoreError` when another process, or another store of this process, has the lock.
    init(path: String) throws(AccountStoreError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw AccountStoreError(
                .unavailable,
                hint: "can't open the lock file \(path): \(String(cString: strerror(errno)))"
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason =
                errno == EWOULDBLOCK
                ? "the database is already open in another process; stop it first"
                : "the database can't be locked: \(String(cString: strerror(errno)))"
            // `deinit` closes the file, because the object is already initialized.
            throw AccountStoreError(.unavailable, hint: "\(reason) (\(path))")
        }
    }

    /// Releases the lock without closing the file.
    func release() {
        _ = flock(descriptor, LOCK_UN)
    }

    deinit {
        Self.close(descriptor)
    }

    /// Releases a file's lock and closes the file.
    ///
    /// A starting child process shares the open files of this process, and so the lock, until its program runs. An
    /// explicit unlock does not depend on it.
    static func close(_ descriptor: Int32) {
        _ = flock(descriptor, LOCK_UN)
        _ = systemClose(descriptor)
    }
}

/// The system's `close`, which the type's function of the same name would hide.
private let systemClose: @Sendable (Int32) -> Int32 = { close($0) }
