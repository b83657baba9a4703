import Foundation

/// Looks for a parameter that leads the browser to another site after a sign-in.
struct RedirectSearch {
    private static let foreignHost = "attacker.example"
    private static let foreignAddress = "https://\(foreignHost)/"

    let context: CheckContext
    let names: [String]

    /// What leads to another site, in words; nil when nothing was found.
    func find() async throws(CheckError) -> String? {
        // All at once, which is quick, then each alone: some servers take no two.
        var effective = try await followed(names)
        for name in names where !effective.contains(name) {
            if try await isLedAway(name, Self.foreignAddress) {
                return Self.words(name, Self.foreignAddress)
            }
            effective += try await followed([name])
        }
        for name in effective {
            for address in foreignAddresses where try await isLedAway(name, address) {
                return Self.words(name, address)
            }
        }
        return nil
    }

    private static func words(_ name: String, _ address: String) -> String {
        "with \(name)=\(address.debugDescription) the browser was sent to another site"
    }

    /// The origins of the server, as addresses that it may compare others with.
    private var origins: [String] {
        let callback = context.usual.request["redirect_uri"].flatMap(URL.init(string:))
        let urls = [context.target.start, callback].compactMap(\.self)
        return Array(Set(urls.map(WebAddress.origin)))
    }

    /// Addresses of another site, as browsers read them, for servers that look at parts of them.
    private var foreignAddresses: [String] {
        let host = Self.foreignHost
        let plain = [
            Self.foreignAddress, "//\(host)/", "/\\\(host)/", "\\/\(host)/", "/\t/\(host)/",
        ]
        return plain
            + origins.flatMap { origin in
                let name = URL(string: origin)?.host() ?? ""
                let scheme = URL(string: origin)?.scheme ?? "https"
                return [
                    "\(origin)@\(host)/", "\(origin).\(host)/", "\(scheme)://\(name).\(host)/",
                    "\(scheme)://\(name)@\(host)/", "https://\(host)/\(name)",
                    "https://\(host)/?\(origin)/",
                ]
            }
    }

    /// The parameters whose address the browser is led to, when it is one of the server's own.
    private func followed(_ names: [String]) async throws(CheckError) -> [String] {
        var found: Set<String> = []
        for prefix in [""] + origins {
            let mark = CheckPerson.letters(8)
            let extra = names.map { WebField($0, "\(prefix)/\(mark)-\($0)") }
            for location in try await locations(extra) {
                let name = location.lastPathComponent.split(separator: "-", maxSplits: 1)
                if name.first == Substring(mark), name.count > 1 { found.insert(String(name[1])) }
            }
        }
        return names.filter(found.contains)
    }

    private func isLedAway(_ name: String, _ address: String) async throws(CheckError) -> Bool {
        try await locations([WebField(name, address)]).contains { location in
            let host = location.host()?.lowercased() ?? ""
            return host == Self.foreignHost || host.hasSuffix("." + Self.foreignHost)
        }
    }

    /// Where the server leads the browser, from the beginning to the end of a sign-in.
    ///
    /// They are many: each is tried again when the server has too much to do, and not all of them.
    private func locations(_ extra: [WebField]) async throws(CheckError) -> [URL] {
        try await context.time.attempt { () throws(CheckError) in try await locationsAtOnce(extra) }
    }

    private func locationsAtOnce(_ extra: [WebField]) async throws(CheckError) -> [URL] {
        var visit = context.newVisit()
        do {
            try await visit.begin(extra)
        } catch  where error.kind == .unusable {
            // The server refuses the parameter, or leads away at once.
            return visit.locations
        }
        let answer = try await context.agree(&visit)
        _ = try await context.deliver(&visit, answer)
        return visit.locations
    }
}
