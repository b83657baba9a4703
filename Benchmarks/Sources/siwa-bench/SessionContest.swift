import Foundation

/// Checking a session over HTTP, against a route that checks nothing.
enum SessionContest {
    static func make(apple: ServedApple) async throws -> [Contest] {
        let accounts = try apple.accountsServer(folder: BenchFolder.make())
        let bare = try ServerProcess(.bareRoute)
        let token = try await apple.signIn(person: 1, at: accounts)
        let servers = [
            ("Hummingbird, a bare route", bare), ("accounts server, session and account", accounts),
        ]
        func contenders(
            _ measure: @escaping (Load, ServerProcess) async throws -> Double
        ) -> [Contest.Contender] {
            servers.map { name, server in
                let load = Load(url: server.url.appending(path: "api/account"), token: token)
                return Contest.Contender(name: name) { try await measure(load, server) }
            }
        }
        let title = "Session check, GET /api/account over HTTP (load by \(Load.name))"
        let rates = Contest(
            title: title,
            contenders: contenders { load, _ in try await load.measure() }
        )
        guard ProcessFigures.areTold else { return [rates] }
        // What else the machine does hardly shows here.
        let processorRates = Contest(
            title: title + ", by the server's processor time",
            contenders: contenders { load, server in
                try await load.measureProcessor(of: server)
            }
        )
        return [rates, processorRates]
    }
}
