import CPostgreSQL
import Foundation

/// The servers that a URL names, and the order in which libpq tries them.
///
/// libpq always begins with the first one. When that one does not respond, every new connection would wait for
/// `connect_timeout`.
///
/// Source: [libpq, specifying multiple hosts](https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS)
struct DatabaseHosts {
    /// The parameters with an item for each server, and the environment variables that replace missing ones.
    private static let variables = ["host": "PGHOST", "hostaddr": "PGHOSTADDR", "port": "PGPORT"]

    private let lists: [String: [String]]
    /// The number of servers.
    let count: Int

    /// Creates the list from libpq's parameters and the environment variables for missing ones.
    init(
        _ parameters: [String: String],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        var lists: [String: [String]] = [:]
        for (name, variable) in Self.variables {
            if let list = parameters[name], !list.isEmpty {
                lists[name] = list.split(separator: ",", omittingEmptySubsequences: false)
                    .map(String.init)
            } else if environment[variable]?.contains(",") == true {
                // A list in the environment cannot be reordered.
                lists = [:]
                break
            }
        }
        self.lists = lists
        count = (lists["hostaddr"] ?? lists["host"])?.count ?? 1
    }

    /// Returns parameters that make libpq begin with another server and continue with those after it.
    ///
    /// - Parameter first: the number of the server, from 0.
    /// - Returns: only the reordered parameters; a single port for all servers is not among them.
    func parameters(beginningWith first: Int) -> [String: String] {
        lists.filter { $0.value.count == count && count > 1 }
            .mapValues { ($0[first...] + $0[..<first]).joined(separator: ",") }
    }

    /// The number of a connection's server; nil when it is ambiguous.
    func number(of connection: OpaquePointer) -> Int? {
        number(
            host: PQhost(connection).map { String(cString: $0) } ?? "",
            address: PQhostaddr(connection).map { String(cString: $0) } ?? "",
            port: PQport(connection).map { String(cString: $0) } ?? ""
        )
    }

    /// The number of the server with these values from libpq; nil when it is ambiguous.
    func number(host: String, address: String, port: String) -> Int? {
        var numbers = Array(0..<count)
        for (name, value) in [("hostaddr", address), ("host", host), ("port", port)] {
            guard let list = lists[name], list.count == count else { continue }
            // libpq replaces an empty item by its default.
            let equal = numbers.filter { list[$0] == value }
            numbers = equal.isEmpty ? numbers.filter { list[$0].isEmpty } : equal
        }
        return numbers.count == 1 ? numbers[0] : nil
    }
}
