import Foundation

/// Valid sign-ins during a flood of invalid tokens from one IP address, against the same without it.
enum FloodContest {
    private static let connections = 8
    /// The valid sign-ins of one round.
    private static let signInCount = 8_000

    static func make(apple: ServedApple) async throws -> [Contest] {
        let server = try apple.accountsServer(
            folder: BenchFolder.make(),
            environment: [BenchServer.proxiesVariable: "127.0.0.1"]
        )
        let people = PersonNumbers()
        let url = server.url.appending(path: "api/sessions/apple")
        let flood = Flood(
            body: NativeSignInRequest.body(identityToken: try badToken(apple)),
            url: url
        )
        return [
            Contest(
                title: "Native first sign-ins on SQLite, \(connections) callers",
                contenders: [
                    Contest.Contender(name: "alone") {
                        // The server ends with its last owner.
                        defer { withExtendedLifetime(server) {} }
                        return try await signIns(try await bodies(apple, people), to: url)
                    },
                    Contest.Contender(name: "beside \(Flood.rate) bad tokens a second") {
                        let bodies = try await bodies(apple, people)
                        return try await flood.beside { try await signIns(bodies, to: url) }
                    },
                ]
            )
        ]
    }

    private static func bodies(_ apple: ServedApple, _ people: PersonNumbers) async throws -> [Data]
    {
        try await apple.signIns(people.next(signInCount))
    }

    private static func signIns(_ bodies: [Data], to url: URL) async throws -> Double {
        try await Load.post(bodies, type: SignInServers.type, to: url, connections: connections)
            .rate
    }

    /// A token with the signature of another one.
    private static func badToken(_ apple: ServedApple) throws -> String {
        let parts = try [1, 2].map {
            try apple.apple.token(person: 9_000_000 + $0).split(separator: ".")
        }
        return (parts[0].dropLast() + parts[1].suffix(1)).joined(separator: ".")
    }
}

/// Repeats one request from one IP address, whatever the response.
private struct Flood {
    /// Requests a second.
    static let rate = 2_000
    private static let connections = 20
    private static let seconds = 3

    let body: Data
    let url: URL

    /// Measures during the flood.
    func beside(_ measure: () async throws -> Double) async throws -> Double {
        let script = try BenchFolder.make().appending(path: "flood.lua")
        try text.write(to: script, atomically: true, encoding: .utf8)
        async let flood = Load.refused(script, url, Self.connections, seconds: Self.seconds)
        // By then the server refuses the IP address.
        try await Task.sleep(for: .seconds(1))
        let rate = try await measure()
        let refused = try await flood
        guard refused > Double(Self.rate) * 0.8 else {
            throw BenchError("\(Int(refused)) of the flood were refused a second")
        }
        return rate
    }

    private var text: String {
        """
        wrk.method = "POST"
        wrk.headers["Content-Type"] = "\(SignInServers.type)"
        wrk.headers["X-Forwarded-For"] = "203.0.113.7"
        wrk.body = [==[\(String(decoding: body, as: UTF8.self))]==]
        delay = function() return \(1_000 * Self.connections / Self.rate) end
        """
    }
}
