import Foundation
import Logging

/// The system's limit of open files, which include connections.
enum OpenFileLimit {
    /// For the server's own files: database, log, connections to databases, Apple and the mail server.
    private static let reservedCount = 1024
    /// More than the server needs; some systems report "unlimited" as the highest limit.
    private static let maximumCount: rlim_t = 65_536

    /// Raises the limit, and returns how many connections it permits.
    static func connectionCount(atMost maximumCount: Int, logger: Logger) -> Int {
        let fileCount = raise()
        let count = max(fileCount - reservedCount, fileCount / 2)
        guard count < maximumCount else { return maximumCount }
        logger.warning(
            "the connection limit is lower than configured because the system allows few open files",
            metadata: [
                "hint":
                    "ulimit -Hn is \(fileCount): \(count) connections instead of \(maximumCount)"
            ]
        )
        return count
    }

    /// Raises the limit as far as an unprivileged process can, and returns it.
    private static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { return 0 }
        let highest = min(limit.rlim_max, maximumCount)
        if limit.rlim_cur < highest {
            var raised = limit
            raised.rlim_cur = highest
            if setrlimit(files, &raised) == 0 { limit = raised }
        }
        return Int(min(limit.rlim_cur, maximumCount))
    }

    #if os(Linux) && canImport(Glibc)
        private static let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let files = RLIMIT_NOFILE
    #endif
}
