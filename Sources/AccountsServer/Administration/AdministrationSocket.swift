import Accounts
import AccountsSQLite
import AppleIdentity
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// Where the commands of an administrator reach the process that has the database open: a socket beside the
/// file, for the file's owner alone.
///
/// Who has the file's lock serves its socket; what another process has left there is replaced.
package struct AdministrationSocket: Service {
    /// Bytes of a path that the system can connect to, less those of the name under which it begins.
    ///
    /// Sources: [unix(7)](https://man7.org/linux/man-pages/man7/unix.7.html), and `sun_path` in
    /// [sys/un.h](https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/un.h) of Apple's systems
    package static let maximumPathByteCount = systemPathByteCount - startingName.utf8.count

    /// The last byte of the system's field is zero.
    #if canImport(Darwin)
        private static let systemPathByteCount = 104 - 1
    #else
        private static let systemPathByteCount = 108 - 1
    #endif

    private static let startingName = ".new/s"

    package let path: String
    /// Sent when commands can connect, or when it is known that they can't.
    let ready = Signal()
    private let accounts: AccountsService
    private let time: TimeSource
    private let logger: Logger
    private let onReady: @Sendable (AdministrationSocketError?) -> Void

    /// Prepares the socket of a database file; throws `AdministrationSocketError` when the path is too long.
    package init(
        besides database: String,
        accounts: AccountsService,
        time: TimeSource = .live,
        logger: Logger,
        onReady: @escaping @Sendable (AdministrationSocketError?) -> Void = { _ in }
    ) throws(AdministrationSocketError) {
        path = try Self.path(besides: database)
        self.accounts = accounts
        self.time = time
        self.logger = logger
        self.onReady = onReady
    }

    /// Where the socket of a database file is; throws `AdministrationSocketError` when it is too long.
    package static func path(besides database: String) throws(AdministrationSocketError) -> String {
        let path = SQLiteAccountStore.resolved(database) + ".socket"
        let count = path.utf8.count
        guard count <= maximumPathByteCount else {
            throw AdministrationSocketError(
                "the path of the socket \(path) has \(count) bytes; at most \(maximumPathByteCount) work"
            )
        }
        return path
    }

    /// Serves the commands until the service shuts down, and removes the socket.
    package func run() async throws {
        try removeLeftovers()
        // Nobody else can connect while the socket has not got its mode yet.
        try FileManager.default.createDirectory(
            atPath: startingFolder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? removeLeftovers() }
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let application = Application(
            router: AdministrationRoutes(accounts: accounts, time: time).router(),
            configuration: .init(address: .unixDomainSocket(path: path + Self.startingName)),
            onServerRunning: { _ in publish() },
            logger: quiet
        )
        try await application.run()
    }

    private var startingFolder: String { path + ".new" }

    private func publish() {
        let files = FileManager.default
        do {
            let start = path + Self.startingName
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: start)
            try files.moveItem(atPath: start, toPath: path)
            try files.removeItem(atPath: startingFolder)
            ready.send()
            onReady(nil)
        } catch {
            logger.error("can't make the administration's socket", metadata: ["path": "\(path)"])
            ready.send()
            onReady(AdministrationSocketError("can't make the socket \(path)"))
        }
    }

    /// Removes what an earlier process left; a file that is no socket belongs to somebody else.
    private func removeLeftovers() throws {
        let files = FileManager.default
        if files.fileExists(atPath: startingFolder) { try files.removeItem(atPath: startingFolder) }
        guard let type = try? files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        else { return }
        guard type == .typeSocket else {
            throw AdministrationSocketError("\(path) is there and is no socket")
        }
        try files.removeItem(atPath: path)
    }
}

/// Why there is no socket for the commands of an administrator.
package struct AdministrationSocketError: Error, CustomStringConvertible {
    /// What is wrong, in a sentence.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
