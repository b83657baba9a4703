import Crypto
import CryptoExtras
import Foundation

/// Codes that the emulator exchanges, against nothing but the RSA signatures of their tokens.
enum ExchangeContest {
    /// How many codes make one turn.
    private static let exchangeCount = 200
    private static let turnCount = 4
    /// How many codes are there for a second of requests over HTTP: more than two cores can sign.
    private static let formCount = 5_000

    static func make() async throws -> [Contest] {
        let emulator = try await BenchEmulator()
        let url = try await BenchServer.emulator(emulator.apple).appending(path: "auth/token")
        return try [
            Contest(
                title: "Code exchanges of the emulator (one RSA-2048 signature each)",
                contenders: [
                    signatures(taskCount: 1),
                    exchanges("emulator, in process", emulator),
                ],
                turnCount: turnCount
            ),
            Contest(
                title: "Code exchanges of the emulator over HTTP, "
                    + "\(Load.connectionCount) connections",
                contenders: [
                    signatures(taskCount: 2, count: formCount),
                    overHTTP("emulator, \(Load.name)", emulator, url: url),
                ]
            ),
            Contest(
                title: "Code exchanges of the emulator in a second of processor time",
                contenders: byProcessorTime(emulator, url: url),
                turnCount: 2
            ),
        ]
    }

    /// The floor: a signature with the library that the emulator uses, and nothing else.
    private static func signatures(
        taskCount: Int,
        count: Int = exchangeCount
    ) throws -> Contest.Contender {
        let (key, input) = try floor()
        return Contest.Contender(name: "RSA-2048 signatures alone, tasks: \(taskCount)") {
            try await rate(count: count) {
                try await Load.concurrently(
                    Array(repeating: input, count: count),
                    lanes: taskCount
                ) { try sign($0, with: key) }
            }
        }
    }

    private static func exchanges(
        _ name: String,
        _ emulator: BenchEmulator
    ) -> Contest.Contender {
        Contest.Contender(name: name) {
            // The sign-ins that give the codes are no part of what is measured.
            let bodies = try await emulator.exchanges(exchangeCount)
            return try await rate(count: exchangeCount) {
                for body in bodies { try await emulator.exchange(body) }
            }
        }
    }

    private static func overHTTP(
        _ name: String,
        _ emulator: BenchEmulator,
        url: URL
    ) -> Contest.Contender {
        Contest.Contender(name: name) {
            try await Load.post(emulator.exchanges(formCount), to: url).rate
        }
    }

    /// The same by the time that the processors spent on it; wrk's own is no part of it.
    private static func byProcessorTime(
        _ emulator: BenchEmulator,
        url: URL
    ) throws -> [Contest.Contender] {
        let (key, input) = try floor()
        return [
            Contest.Contender(name: "RSA-2048 signatures alone") {
                try await processorRate {
                    for _ in 0..<exchangeCount { try sign(input, with: key) }
                    return exchangeCount
                }
            },
            Contest.Contender(name: "emulator, in process") {
                let bodies = try await emulator.exchanges(exchangeCount)
                return try await processorRate {
                    for body in bodies { try await emulator.exchange(body) }
                    return exchangeCount
                }
            },
            Contest.Contender(
                name: "emulator, over HTTP, \(Load.connectionCount) connections, \(Load.name)"
            ) {
                let bodies = try await emulator.exchanges(formCount)
                return try await processorRate { try await Load.post(bodies, to: url).count }
            },
        ]
    }

    private static func floor() throws -> (key: _RSA.Signing.PrivateKey, input: Data) {
        (try _RSA.Signing.PrivateKey(keySize: .bits2048), Data(repeating: 7, count: 600))
    }

    private static func sign(_ input: Data, with key: _RSA.Signing.PrivateKey) throws {
        _ = try key.signature(for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5)
    }
}
