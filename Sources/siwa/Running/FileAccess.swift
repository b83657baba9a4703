import Foundation

/// Whether this user may read a file: one in a folder that they may not enter looks as if it were not there.
enum FileAccess {
    /// Refuses a file that this user may not read; one that is missing is not refused.
    static func requireReadable(_ path: String) throws(CommandFailure) {
        guard access(path, R_OK) != 0, errno == EACCES else { return }
        throw CommandFailure(
            "this user may not read \(path)",
            hint: "run the command as the server's user: sudo -u siwa siwa …"
        )
    }
}
