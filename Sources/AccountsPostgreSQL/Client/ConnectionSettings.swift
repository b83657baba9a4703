import Accounts
import AccountsSQL
import CPostgreSQL
import Foundation

/// How the servers of a database are reached, as its URL says.
///
/// The URL is libpq's, `postgres://user@host1,host2/database?sslmode=verify-full`, with two parameters of our own:
/// `pool_size`, and `prepared_statements=off` for a proxy that does not follow prepared statements. A password is
/// better in `PGPASSWORD` or libpq's password file than in the URL.
///
/// Source: [libpq, connection strings](https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING)
package struct ConnectionSettings: Hashable, Sendable {
    /// Bytes that a URL may have.
    package static let maximumByteCount = 4096
    /// Connections to one server when the URL does not say how many.
    package static let defaultPoolSize = 16
    /// Connections that a URL may ask for.
    package static let maximumPoolSize = 500

    /// What is wrong with a URL; it never repeats the URL, which may have a password in it.
    package struct URLError: Error, Hashable, Sendable {
        /// What is wrong.
        package let message: String
        /// What helps.
        package let fix: String
    }

    /// libpq's parameters.
    private let parameters: [String: String]
    /// How many connections there may be at once.
    package var poolSize: Int
    /// Whether statements are prepared by name, once for each connection.
    package let preparesStatements: Bool
    /// Why nobody can be sure whom they talk to, when the URL asks for that.
    package let warning: String?
    /// How long one round trip may take.
    package var statementTimeout: Duration = .seconds(5)

    /// Reads a URL.
    ///
    /// - Parameter url: `postgres://` or `postgresql://`, as libpq reads it.
    /// - Throws: ``URLError`` when it can't be used.
    package init(url: String) throws(URLError) {
        guard url.utf8.count <= Self.maximumByteCount else {
            throw URLError(message: "is too long", fix: "at most \(Self.maximumByteCount) bytes")
        }
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
            throw URLError(
                message: "is not the address of a PostgreSQL database",
                fix: Self.example
            )
        }
        let (plain, own) = try Self.separatingOwn(url)
        var parameters = try Self.parsed(plain)
        guard let database = parameters["dbname"], !database.isEmpty else {
            throw URLError(message: "names no database", fix: Self.example)
        }
        poolSize = try Self.poolSize(own["pool_size"])
        preparesStatements = try Self.preparesStatements(own["prepared_statements"])
        warning = try Self.secure(&parameters)
        for (name, value) in Self.defaults where parameters[name] == nil {
            parameters[name] = value
        }
        // What is written and read is UTF-8, whatever the environment says.
        parameters["client_encoding"] = "UTF8"
        self.parameters = parameters
    }

    private static let example =
        "write postgres://USER@HOST/DATABASE, for example postgres://siwa@db.example.com/siwa"

    /// A server that is reached but can't be written to is no help, and one that is gone must be noticed.
    private static let defaults = [
        "target_session_attrs": "read-write",
        "connect_timeout": "3",
        "fallback_application_name": "siwa",
        "keepalives_idle": "30",
        "tcp_user_timeout": "15000",
    ]

    /// Has the server give up by itself what takes too long, a little earlier than this side does, so that the connection
    /// stays; and when this side is gone.
    ///
    /// The limits hold for this transaction alone: behind a proxy, the next one may be another client's.
    var limits: Statement {
        Statement(Self.limits + ", set_config('enable_seqscan', 'on', true)", limitValues)
    }

    /// The same for a transaction that reads rows by their keys alone: a small table is not read as a whole.
    ///
    /// A plan is kept until the statistics are updated, and the table can have grown large by then. And where a transaction
    /// decides by what it reads, whatever is inserted there later would be in its way.
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

    /// One line of what libpq says, which names hosts and users and no passwords.
    static func words(_ message: UnsafeMutablePointer<CChar>?) -> String {
        let text = message.map { String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: "; ")
    }

    /// The servers.
    var hosts: DatabaseHosts { DatabaseHosts(parameters) }

    /// Connects, blocking; the caller closes what comes back, whether it works or not.
    ///
    /// - Parameter first: the number of the server that is tried first.
    /// - Returns: libpq's connection; nil when there is no memory for it.
    func connect(beginningWith first: Int) -> OpaquePointer? {
        let parameters = parameters.merging(hosts.parameters(beginningWith: first)) { $1 }
        let names = parameters.keys.sorted()
        return Self.withCStrings(names) { keywords in
            Self.withCStrings(names.map { parameters[$0] ?? "" }) { values in
                PQconnectdbParams(keywords, values, 0)
            }
        }
    }

    /// Lends texts as C has them: an array that ends with a null pointer.
    private static func withCStrings<Answer>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Answer
    ) -> Answer {
        let copies = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        let pointers = copies.map { UnsafePointer<CChar>($0) } + [nil]
        return pointers.withUnsafeBufferPointer { buffer in
            // An array with an element has an address.
            buffer.baseAddress.map(body) ?? body([nil])
        }
    }
}

extension ConnectionSettings: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Where the servers are, without the password.
    package var description: String {
        "PostgreSQL \(parameters["host"] ?? "") \(parameters["dbname"] ?? "")"
    }

    /// The same, also for debuggers.
    package var debugDescription: String { description }

    /// A mirror without the password, for `dump`.
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}

extension ConnectionSettings {
    /// One of libpq's parameters, for tests.
    func parameter(_ name: String) -> String? { parameters[name] }

    /// libpq refuses parameters that it does not know.
    private static func separatingOwn(
        _ url: String
    ) throws(URLError) -> (url: String, own: [String: String]) {
        guard let start = url.firstIndex(of: "?") else { return (url, [:]) }
        var kept: [Substring] = []
        var own: [String: String] = [:]
        for item in url[url.index(after: start)...].split(separator: "&") {
            let parts = item.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard let name = parts.first.map(String.init), ownNames.contains(name) else {
                kept.append(item)
                continue
            }
            guard own[name] == nil else {
                throw URLError(message: "has \(name) twice", fix: "write it once")
            }
            own[name] = parts.count > 1 ? String(parts[1]) : ""
        }
        let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
        return (url[..<start] + query, own)
    }

    private static let ownNames: Set<String> = ["pool_size", "prepared_statements"]

    private static func poolSize(_ text: String?) throws(URLError) -> Int {
        guard let text else { return defaultPoolSize }
        guard let size = Int(text), (1...maximumPoolSize).contains(size) else {
            throw URLError(
                message: "has a pool_size that is no number of connections",
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
                message: "has prepared_statements that are neither on nor off",
                fix: "write prepared_statements=off for a proxy that does not follow them"
            )
        }
    }

    private static func parsed(_ url: String) throws(URLError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &message) else {
            // libpq repeats parts of the URL, of which one may be the password.
            PQfreemem(message)
            throw URLError(message: "can't be read as libpq's address of a database", fix: example)
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
    /// Without a word about TLS in the URL, a server elsewhere has to prove its name; the environment can't
    /// weaken that.
    ///
    /// - Returns: a warning when the URL asks for less.
    private static func secure(_ parameters: inout [String: String]) throws(URLError) -> String? {
        if let mode = parameters["sslmode"] {
            guard modes.contains(mode) else {
                throw URLError(
                    message: "has an sslmode that libpq does not know",
                    fix: "write sslmode=verify-full"
                )
            }
            guard mode != "verify-full", !isLocal(parameters) else { return nil }
            return "the database's server does not have to prove its name (sslmode=\(mode))"
        }
        parameters["sslmode"] = isLocal(parameters) ? "prefer" : "verify-full"
        return nil
    }

    private static let modes: Set<String> = [
        "disable", "allow", "prefer", "require", "verify-ca", "verify-full",
    ]

    /// Whether all servers are on this machine; what the URL leaves out may be in the environment.
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

    /// An empty name is the system's socket; a path is a socket's folder.
    private static func isLocal(_ host: Substring) -> Bool {
        host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost"
            || host == "::1" || host.wholeMatch(of: /127\.[0-9]+\.[0-9]+\.[0-9]+/) != nil
    }
}
