import CPostgreSQL

/// The servers that an address names, and with which of them libpq begins.
///
/// libpq begins with the first one each time: when that one is gone without a word, every new connection waits for it
/// until `connect_timeout`.
///
/// Source: [libpq, specifying multiple hosts](https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS)
struct DatabaseHosts {
    /// The parameters that have an item for each server.
    private static let names = ["host", "hostaddr", "port"]

    private let lists: [String: [String]]
    /// How many there are.
    let count: Int

    /// - Parameter parameters: libpq's.
    init(_ parameters: [String: String]) {
        var lists: [String: [String]] = [:]
        for name in Self.names {
            guard let list = parameters[name], !list.isEmpty else { continue }
            lists[name] = list.split(separator: ",", omittingEmptySubsequences: false)
                .map(String.init)
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

    /// The number of the server to which a connection was made; the first one when it can't be told.
    func number(of connection: OpaquePointer) -> Int {
        let host = PQhost(connection).map { String(cString: $0) } ?? ""
        let port = PQport(connection).map { String(cString: $0) } ?? ""
        let sameName = (0..<count).filter { name(of: $0) == host }
        return sameName.first { item("port", $0) == port } ?? sameName.first ?? 0
    }

    /// libpq names a server by its address when it has no name.
    private func name(of number: Int) -> String? {
        let name = item("host", number) ?? ""
        return name.isEmpty ? item("hostaddr", number) : name
    }

    private func item(_ name: String, _ number: Int) -> String? {
        guard let list = lists[name], list.indices.contains(number) else { return nil }
        return list[number]
    }
}
