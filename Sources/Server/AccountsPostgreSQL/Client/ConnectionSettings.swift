import Accounts
import CPostgreSQL
import Foundation

/// The settings of connections to a database, from its URL.
///
/// The URL has libpq's form, `postgres://user@host1,host2/database?sslmode=verify-full`, and two additional parameters:
/// `pool_size`, and `prepared_statements=off` for a proxy that does not support prepared statements. A password should
/// be in `PGPASSWORD` or libpq's password file instead of the URL.
///
/// Source: [libpq, connection strings](https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING)
package struct ConnectionSettings: Hashable, Sendable {
    /// The maximum length of a URL in bytes.
    package static let maximumByteCount = 4096
    /// The pool size when the URL specifies none.
    package static let defaultPoolSize = 16
    /// The largest pool size that a URL may specify.
    package static let maximumPoolSize = 500

    /// An error in a URL; its texts never repeat the URL, which may contain a password.
    package struct URLError: Error, Hashable, Sendable {
        /// The problem, as a predicate such as `is too long`.
        package let message: String
        /// What to do about it.
        package let fix: String
    }

    /// The parameters for libpq.
    private let parameters: [String: String]
    /// The maximum number of connections of this process.
    package var poolSize: Int
    /// Whether each connection prepares its statements, by name.
    package let preparesStatements: Bool
    /// A warning when the URL does not require that the server's name is verified.
    package let warning: String?
    /// How long one round trip may take at most.
    package var statementTimeout: Duration = .seconds(5)

    /// Parses a URL.
    ///
    /// - Parameter url: a connection URI of libpq, `postgres://` or `postgresql://`.
    /// - Throws: ``URLError`` when the URL is invalid.
    package init(url: String) throws(URLError) {
        guard url.utf8.count <= Self.maximumByteCount else {
            throw URLError(message: "is too long", fix: "at most \(Self.maximumByteCount) bytes")
        }
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
            throw URLError(
                message: "is not a PostgreSQL URL",
                fix: Self.example
            )
        }
        let (plain, own) = try Self.separatingOwn(url)
        var parameters = try Self.parsed(plain)
        guard let database = parameters["dbname"], !database.isEmpty else {
            throw URLError(message: "specifies no database", fix: Self.example)
        }
        poolSize = try Self.poolSize(own["pool_size"])
        preparesStatements = try Self.preparesStatements(own["prepared_statements"])
        warning = try Self.secure(&parameters)
        for (name, value) in Self.defaults where parameters[name] == nil {
            parameters[name] = value
        }
        // Reading and writing rely on UTF-8, even if the environment sets another encoding.
        parameters["client_encoding"] = "UTF8"
        self.parameters = parameters
    }

    private static let example =
        "write postgres://USER@HOST/DATABASE, for example postgres://siwa@db.example.com/siwa"

    /// Defaults that skip read-only servers and detect lost ones.
    private static let defaults = [
        "target_session_attrs": "read-write",
        "connect_timeout": "3",
        "fallback_application_name": "siwa",
        "keepalives_idle": "30",
        "tcp_user_timeout": "15000",
    ]

    /// Limits how long the server works on a statement, and how long it waits for this process within a transaction.
    ///
    /// The server's limit is shorter than this side's, so the connection stays usable. The limits apply only to this
    /// transaction because a proxy may use the same connection for another client next.
    var limits: Statement {
        Statement(Self.limits + ", set_config('enable_seqscan', 'on', true)", limitValues)
    }

    /// The same limits for a transaction that reads rows only by their keys, which also disables sequential scans.
    ///
    /// A plan with a scan of a small table would be kept after the table has grown. In a serializable transaction, such a
    /// scan would also conflict with every later insertion.
    var keyLimits: Statement {
        Statement(Self.limits + ", set_config('enable_seqscan', 'off', true)", limitValues)
    }

    private var limitValues: [SQLValue] {
        [.text("\(Int64(statementTimeout * 4 / 5 / .milliseconds(1)))")]
    }

    private static let limits = """
        SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $1, true),
            set_config('idle_in_transaction_session_timeout', $1, true)
        """

    /// Joins libpq's message to one line; it contains hosts and users, but no passwords.
    static func words(_ message: UnsafeMutablePointer<CChar>?) -> String {
        let text = message.map { String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: "; ")
    }

    /// The servers that the URL names.
    var hosts: DatabaseHosts { DatabaseHosts(parameters) }

    /// Connects, blocking the thread.
    ///
    /// - Parameter first: the number of the server to try first, from 0.
    /// - Returns: libpq's connection, which the caller must close even if it failed; nil when out of memory.
    func connect(beginningWith first: Int) -> OpaquePointer? {
        let parameters = parameters.merging(hosts.parameters(beginningWith: first)) { $1 }
        let names = parameters.keys.sorted()
        return Self.withCStrings(names) { keywords in
            Self.withCStrings(names.map { parameters[$0] ?? "" }) { values in
                PQconnectdbParams(keywords, values, 0)
            }
        }
    }

    /// Passes strings as a C array of C strings that ends with a null pointer.
    private static func withCStrings<Answer>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Answer
    ) -> Answer {
        let copies = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        let pointers = copies.map { UnsafePointer<CChar>($0) } + [nil]
        return pointers.withUnsafeBufferPointer { buffer in
            // A non-empty buffer has a base address.
            buffer.baseAddress.map(body) ?? body([nil])
        }
    }
}

extension ConnectionSettings: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The hosts and the database, without the password.
    package var description: String {
        "PostgreSQL \(parameters["host"] ?? "") \(parameters["dbname"] ?? "")"
    }

    /// The description, without the password, for debuggers.
    package var debugDescription: String { description }

    /// A mirror without the password, for `dump`.
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}

extension ConnectionSettings {
    /// Returns one of the parameters for libpq, for tests.
    func parameter(_ name: String) -> String? { parameters[name] }

    /// Separates this type's own parameters from the URL, because libpq refuses unknown ones.
    private static func separatingOwn(
        _ url: String
    ) throws(URLError) -> (url: String, own: [String: String]) {
        guard let start = url.firstIndex(of: "?") else { return (url, [:]) }
        var others: [Substring] = []
        var own: [String: String] = [:]
        for item in url[url.index(after: start)...].split(separator: "&") {
            let parts = item.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard let name = parts.first.map(String.init), ownNames.contains(name) else {
                others.append(item)
                continue
            }
            guard own[name] == nil else {
                throw URLError(message: "has \(name) twice", fix: "write it only once")
            }
            own[name] = parts.count > 1 ? String(parts[1]) : ""
        }
        let query = others.isEmpty ? "" : "?" + others.joined(separator: "&")
        return (url[..<start] + query, own)
    }

    private static let ownNames: Set<String> = ["pool_size", "prepared_statements"]

    private static func poolSize(_ text: String?) throws(URLError) -> Int {
        guard let text else { return defaultPoolSize }
        guard let size = Int(text), (1...maximumPoolSize).contains(size) else {
            throw URLError(
                message: "has an invalid pool_size",
                fix: "write a number from 1 to \(maximumPoolSize)"
            )
        }
        return size
    }

    private static func preparesStatements(_ text: String?) throws(URLError) -> Bool {
        switch text {
        case nil, "on": return true
        case "off": return false
        default:
            throw URLError(
                message: "has a prepared_statements value other than on or off",
                fix: "write prepared_statements=off for a proxy that does not support them"
            )
        }
    }

    private static func parsed(_ url: String) throws(URLError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &message) else {
            // libpq's message repeats parts of the URL, possibly the password.
            PQfreemem(message)
            throw URLError(message: "is not a valid libpq connection URI", fix: example)
        }
        defer { PQconninfoFree(options) }
        return values(options)
    }

    private static func values(
        _ options: UnsafeMutablePointer<PQconninfoOption>
    ) -> [String: String] {
        var found: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                found[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        return found
    }
}

extension ConnectionSettings {
    /// Requires verification of a remote server's name unless the URL has an `sslmode`; the environment cannot weaken it.
    ///
    /// - Returns: a warning when the URL requires less.
    private static func secure(_ parameters: inout [String: String]) throws(URLError) -> String? {
        if let mode = parameters["sslmode"] {
            guard modes.contains(mode) else {
                throw URLError(
                    message: "has an unknown sslmode",
                    fix: "write sslmode=verify-full"
                )
            }
            guard mode != "verify-full", !isLocal(parameters) else { return nil }
            return "the database server's name is not verified (sslmode=\(mode))"
        }
        parameters["sslmode"] = isLocal(parameters) ? "prefer" : "verify-full"
        return nil
    }

    private static let modes: Set<String> = [
        "disable", "allow", "prefer", "require", "verify-ca", "verify-full",
    ]

    /// Whether all servers are on this machine; the environment provides what the URL omits.
    private static func isLocal(_ parameters: [String: String]) -> Bool {
        var known: [String: String] = [:]
        if let defaults = PQconndefaults() {
            known = values(defaults)
            PQconninfoFree(defaults)
        }
        let hosts = parameters["host"] ?? known["host"] ?? ""
        let addresses = parameters["hostaddr"] ?? known["hostaddr"] ?? ""
        let service = parameters["service"] ?? ""
        return service.isEmpty
            && (addresses.isEmpty ? hosts : addresses)
                .split(separator: ",", omittingEmptySubsequences: false)
                .allSatisfy(isLocal)
    }

    /// Whether a host is on this machine: an empty name or a path is a Unix socket.
    private static func isLocal(_ host: Substring) -> Bool {
        host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost"
            || host == "::1" || host.wholeMatch(of: /127\.[0-9]+\.[0-9]+\.[0-9]+/) != nil
    }
}
