import Accounts
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A lock beside the database file that one process holds as long as it runs; the system drops it when the
/// process dies.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `AccountStoreError` when another process, or another store of this one, holds it.
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
                ? "the database is open in another process; only one may own it"
                : "the database can't be locked: \(String(cString: strerror(errno)))"
            // This object is whole already: its end closes the file.
            throw AccountStoreError(.unavailable, hint: "\(reason) (\(path))")
        }
    }

    /// Lets another process have it.
    func release() {
        _ = flock(descriptor, LOCK_UN)
    }

    deinit {
        Self.close(descriptor)
    }

    /// Closes a file and lets its lock go.
    ///
    /// A process that is just being started has all open files of this one, and with them the lock, until its program
    /// runs: the end of the lock must not wait for that.
    static func close(_ descriptor: Int32) {
        _ = flock(descriptor, LOCK_UN)
        _ = systemClose(descriptor)
    }
}

/// The system's function, under a name that the type's own does not hide.
private let systemClose: @Sendable (Int32) -> Int32 = { close($0) }
