import AsyncHTTPClient
import Crypto
import CryptoExtras
import Foundation
import NIOCore

/// Codes that the emulator exchanges, against nothing but the RSA signatures of their tokens.
enum ExchangeContest {
    /// How many codes make one turn.
    private static let exchangeCount = 200
    private static let turnCount = 4

    static func make() async throws -> [Contest] {
        let emulator = try await BenchEmulator(personCount: 2)
        let url = try await BenchServer.emulator(emulator.apple)
        return [
            Contest(
                title: "Code exchanges of the emulator (one RSA-2048 signature each)",
                contenders: [
                    try signatures(taskCount: 1),
                    exchanges("emulator, in process", emulator, taskCount: 1),
                    try signatures(taskCount: 2),
                    exchanges("emulator, in process, two tasks", emulator, taskCount: 2),
                    overHTTP(emulator, url: url.appending(path: "auth/token")),
                ],
                turnCount: turnCount
            ),
            Contest(
                title: "Code exchanges of the emulator, by how many people there are",
                contenders: [
                    exchanges("2 people", emulator, taskCount: 1),
                    exchanges(
                        "100000 people",
                        try await BenchEmulator(personCount: PeopleReport.personCount),
                        taskCount: 1
                    ),
                ],
                turnCount: turnCount
            ),
        ]
    }

    /// The floor: a signature with the library that the emulator uses, and nothing else.
    private static func signatures(taskCount: Int) throws -> Contest.Contender {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let input = Data(repeating: 7, count: 600)
        return Contest.Contender(name: "RSA-2048 signatures alone, tasks: \(taskCount)") {
            try await rate(count: exchangeCount) {
                try await inTasks(taskCount, Array(repeating: input, count: exchangeCount)) {
                    _ = try key.signature(
                        for: SHA256.hash(data: $0),
                        padding: .insecurePKCS1v1_5
                    )
                }
            }
        }
    }

    private static func exchanges(
        _ name: String,
        _ emulator: BenchEmulator,
        taskCount: Int
    ) -> Contest.Contender {
        Contest.Contender(name: name) {
            // The sign-ins that give the codes are no part of what is measured.
            let bodies = try await emulator.exchanges(exchangeCount)
            return try await rate(count: exchangeCount) {
                try await inTasks(taskCount, bodies) { try await emulator.exchange($0) }
            }
        }
    }

    private static func overHTTP(_ emulator: BenchEmulator, url: URL) -> Contest.Contender {
        Contest.Contender(name: "emulator, over HTTP, \(Load.connectionCount) connections") {
            let bodies = try await emulator.exchanges(exchangeCount)
            return try await rate(count: exchangeCount) {
                try await Load.concurrently(bodies) { body in
                    var request = HTTPClientRequest(url: url.absoluteString)
                    request.method = .POST
                    request.headers.add(
                        name: "Content-Type",
                        value: "application/x-www-form-urlencoded"
                    )
                    request.body = .bytes(ByteBuffer(bytes: body))
                    try await Load.send(request, expecting: 200)
                }
            }
        }
    }

    private static func inTasks(
        _ taskCount: Int,
        _ inputs: [Data],
        _ body: @escaping @Sendable (Data) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<taskCount {
                group.addTask {
                    for index in stride(from: lane, to: inputs.count, by: taskCount) {
                        try await body(inputs[index])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
