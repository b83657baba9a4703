import Accounts
import AccountsSQLite
import AppleIdentity
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// The socket on which administrators' commands reach the process that has the database open.
///
/// It is next to the file, and only the file's owner can connect. The process that holds the file's
/// lock serves the socket, and replaces one that another process has left.
package struct AdministrationSocket: Service {
    /// The maximum number of bytes in the path; the starting socket's suffix needs the rest.
    ///
    /// SwiftNIO has the same limit on all systems: `sun_path` in
    /// [sys/un.h](https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/un.h) of Apple's systems,
    /// without its last byte, which is zero.
    package static let maximumPathByteCount = 103 - startingName.utf8.count

    private static let startingName = ".new/s"

    package let path: String
    /// Sent when commands can connect, or when the socket has failed.
    let ready = Signal()
    private let accounts: AccountsService
    private let time: TimeSource
    private let logger: Logger
    private let onReady: @Sendable (AdministrationSocketError?) -> Void

    /// Prepares a database file's socket; throws `AdministrationSocketError` for a path too long.
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

    /// Returns a database file's socket path; throws `AdministrationSocketError` if too long.
    ///
    /// A path that is too long becomes one relative to the working directory, if the file is in it.
    package static func path(
        besides database: String,
        from folder: String = FileManager.default.currentDirectoryPath
    ) throws(AdministrationSocketError) -> String {
        var path = SQLiteDatabase.resolved(database) + ".socket"
        let start = SQLiteDatabase.resolved(folder) + "/"
        if path.utf8.count > maximumPathByteCount, path.hasPrefix(start) {
            path.removeFirst(start.count)
        }
        let count = path.utf8.count
        guard count <= maximumPathByteCount else {
            throw AdministrationSocketError(
                "the path of the socket \(path) has \(count) bytes; the limit is \(maximumPathByteCount)"
            )
        }
        return path
    }

    /// Serves commands until the service shuts down, then removes the socket.
    package func run() async throws {
        try removeLeftovers()
        // The folder keeps other users out until the socket has its mode.
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
            logger.error("can't create the administration socket", metadata: ["path": "\(path)"])
            ready.send()
            onReady(AdministrationSocketError("can't create the socket \(path)"))
        }
    }

    /// Removes the socket of an earlier process; throws an error for a file that is not a socket.
    private func removeLeftovers() throws {
        let files = FileManager.default
        if files.fileExists(atPath: startingFolder) { try files.removeItem(atPath: startingFolder) }
        guard let type = try? files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        else { return }
        guard type == .typeSocket else {
            throw AdministrationSocketError("\(path) exists and is not a socket")
        }
        try files.removeItem(atPath: path)
    }
}

/// The error when the administration socket cannot be created.
package struct AdministrationSocketError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
