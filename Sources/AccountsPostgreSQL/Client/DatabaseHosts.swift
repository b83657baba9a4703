import CPostgreSQL
import Foundation

/// The servers that an address names, and with which of them libpq begins.
///
/// libpq begins with the first one each time: when that one is gone without a word, every new connection waits for it
/// until `connect_timeout`.
///
/// Source: [libpq, specifying multiple hosts](https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS)
struct DatabaseHosts {
    /// The parameters that have an item for each server, and where libpq looks when they are missing.
    private static let variables = ["host": "PGHOST", "hostaddr": "PGHOSTADDR", "port": "PGPORT"]

    private let lists: [String: [String]]
    /// How many there are.
    let count: Int

    /// - Parameters:
    ///   - parameters: libpq's.
    ///   - environment: what libpq takes for those that are missing.
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
                // Its items would stay where they are.
                lists = [:]
                break
            }
        }
        self.lists = lists
        count = (lists["hostaddr"] ?? lists["host"])?.count ?? 1
    }

    /// What libpq is told so that it begins with another server, and goes on with those behind it.
    ///
    /// - Parameter first: the number of the server, from zero.
    /// - Returns: the parameters in which that differs; one port for all servers is left as it is.
    func parameters(beginningWith first: Int) -> [String: String] {
        lists.filter { $0.value.count == count && count > 1 }
            .mapValues { ($0[first...] + $0[..<first]).joined(separator: ",") }
    }

    /// The number of the server to which a connection was made; nil when it can't be told.
    func number(of connection: OpaquePointer) -> Int? {
        number(
            host: PQhost(connection).map { String(cString: $0) } ?? "",
            address: PQhostaddr(connection).map { String(cString: $0) } ?? "",
            port: PQport(connection).map { String(cString: $0) } ?? ""
        )
    }

    /// The same for what libpq says of the server.
    func number(host: String, address: String, port: String) -> Int? {
        var numbers = Array(0..<count)
        for (name, value) in [("hostaddr", address), ("host", host), ("port", port)] {
            guard let list = lists[name], list.count == count else { continue }
            // For an empty item libpq has a value of its own.
            let equal = numbers.filter { list[$0] == value }
            numbers = equal.isEmpty ? numbers.filter { list[$0].isEmpty } : equal
        }
        return numbers.count == 1 ? numbers[0] : nil
    }
}
