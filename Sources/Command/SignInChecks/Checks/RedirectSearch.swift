import Foundation

/// Searches for a parameter that redirects the browser to another site after a sign-in.
struct RedirectSearch {
    private static let foreignHost = "attacker.example"
    private static let foreignAddress = "https://\(foreignHost)/"

    let context: CheckContext
    let names: [String]

    /// The parameter that leads to another site, in words; nil if there is none.
    func find() async throws(CheckError) -> String? {
        // All at once, which is quick, then one at a time, because some servers refuse several.
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

    /// The origins of the server, with which it may compare other URLs.
    private var origins: [String] {
        let callback = context.usual.request["redirect_uri"].flatMap(URL.init(string:))
        let urls = [context.target.start, callback].compactMap(\.self)
        return Array(Set(urls.map(WebAddress.origin)))
    }

    /// URLs that browsers read as another site's, for servers that compare only parts of them.
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

    /// The parameters whose URL the server redirects to, if it is on the server's own site.
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

    /// The URLs to which the server redirects the browser in a sign-in.
    ///
    /// Each of the many sign-ins is repeated by itself if the server is overloaded.
    private func locations(_ extra: [WebField]) async throws(CheckError) -> [URL] {
        try await context.time.attempt { () throws(CheckError) in try await locationsAtOnce(extra) }
    }

    private func locationsAtOnce(_ extra: [WebField]) async throws(CheckError) -> [URL] {
        var visit = context.newVisit()
        do {
            try await visit.begin(extra)
        } catch  where error.kind == .unusable {
            // The server refuses the parameter, or redirects at once.
            return visit.locations
        }
        let answer = try await context.consent(&visit)
        _ = try await context.deliver(&visit, answer)
        return visit.locations
    }
}
