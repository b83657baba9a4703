import AsyncHTTPClient
import Foundation
import NIOCore
import Synchronization

/// Good sign-ins beside a flood of bad tokens from one address, against the same without it.
enum FloodContest {
    private static let connections = 8
    /// Good sign-ins of one round.
    private static let signInCount = 8_000

    static func make(apple: ServedApple) async throws -> [Contest] {
        let server = try apple.accountsServer(
            folder: BenchFolder.make(),
            environment: [BenchServer.proxiesVariable: "127.0.0.1"]
        )
        let people = PersonNumbers()
        let url = server.url.appending(path: "api/sessions/apple")
        let signIns = {
            // The flood's client takes of the same cores what a stranger's would not.
            try await server.processorRate {
                try await Load.post(
                    apple.signIns(people.next(signInCount)),
                    type: SignInServers.type,
                    to: url,
                    connections: connections
                ).count
            }
        }
        let body = NativeSignInRequest.body(identityToken: try badToken(apple))
        return [
            Contest(
                title:
                    "Native first sign-ins on SQLite by the processor time of the server, \(connections) callers",
                contenders: [
                    Contest.Contender(name: "alone") { try await signIns() },
                    Contest.Contender(name: "beside \(Flood.rate) bad tokens a second") {
                        try await beside(body, to: url, signIns)
                    },
                ]
            )
        ]
    }

    /// One whose signature is another one's.
    private static func badToken(_ apple: ServedApple) throws -> String {
        let parts = try [1, 2].map {
            try apple.apple.token(person: 9_000_000 + $0).split(separator: ".")
        }
        return (parts[0].dropLast() + parts[1].suffix(1)).joined(separator: ".")
    }

    private static func beside(
        _ body: Data,
        to url: URL,
        _ signIns: () async throws -> Double
    ) async throws -> Double {
        let flood = Flood(body: body, url: url)
        let task = Task { await flood.run() }
        defer { task.cancel() }
        let rate = try await signIns()
        guard flood.limitedCount.load(ordering: .relaxed) > Flood.rate / 2 else {
            throw BenchError("the flood was not limited")
        }
        return rate
    }
}

/// The same request again and again from one address, however it is answered.
private final class Flood: Sendable {
    /// Requests a second.
    static let rate = 2_000
    /// How often a second some of them are sent.
    private static let tickRate = 100

    /// How many were answered with 429.
    let limitedCount = Atomic(0)
    private let body: Data
    private let url: URL

    init(body: Data, url: URL) {
        self.body = body
        self.url = url
    }

    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for _ in 0..<Self.rate / Self.tickRate { group.addTask { await self.send() } }
                try? await Task.sleep(for: .seconds(1) / Self.tickRate)
            }
        }
    }

    private func send() async {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: SignInServers.type)
        request.headers.add(name: "X-Forwarded-For", value: "203.0.113.7")
        request.body = .bytes(ByteBuffer(bytes: body))
        guard let response = try? await HTTPClient.shared.execute(request, timeout: .seconds(10))
        else { return }
        _ = try? await response.body.collect(upTo: 1 << 16)
        if response.status == .tooManyRequests { limitedCount.add(1, ordering: .relaxed) }
    }
}
