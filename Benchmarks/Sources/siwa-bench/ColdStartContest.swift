import AppleEmulator
import AppleEmulatorServer
import AsyncHTTPClient
import CryptoExtras
import Foundation
import Logging
import NIOCore
import NIOHTTP1

/// How long the emulator takes from the start of a process to an answer.
enum ColdStartContest {
    /// The argument with which this program is an emulator, and nothing else; the port follows.
    static let emulatorArgument = "be-emulator"
    /// The argument with which it ends at once.
    static let nothingArgument = "be-nothing"
    /// So few that the median of five rounds is reported, because the time to generate keys varies.
    private static let turnCount = 3
    /// How long to wait for an answer before it counts as none.
    private static let maximumAnswerSeconds = 20.0

    static func make() throws -> Contest {
        Contest(
            title: "Starts of a process a second (the time of one is the cold start)",
            contenders: [
                Contest.Contender(name: "a process that ends at once") {
                    try await rate(count: 1) {
                        let process = try start([nothingArgument])
                        process.waitUntilExit()
                    }
                },
                Contest.Contender(name: "three RSA-2048 keys made, tasks: 3") {
                    try await rate(count: 1) { try await makeKeys() }
                },
                starts("emulator, to the first answer (discovery)", discovery),
                starts("emulator, to the keys", "/auth/keys"),
            ],
            turnCount: turnCount
        )
    }

    /// What the keys need at least, on as many cores.
    private static func makeKeys() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...3 {
                group.addTask { _ = try _RSA.Signing.PrivateKey(keySize: .bits2048) }
            }
            try await group.waitForAll()
        }
    }

    private static let discovery = "/.well-known/openid-configuration"

    /// Becomes an emulator with the seed of the demo.
    static func becomeEmulator(port: Int) async throws {
        let emulator = try await AppleEmulator(seed: .demo(notificationURL: nil))
        var logger = Logger(label: "bench")
        logger.logLevel = .error
        let service = AppleEmulatorService(
            emulator: emulator,
            configuration: .init(port: port, controlPort: 0),
            logger: logger
        )
        try await service.run()
    }

    private static func starts(_ name: String, _ path: String) -> Contest.Contender {
        Contest.Contender(name: name) {
            let port = try await BenchServer.freePort()
            let clock = ContinuousClock()
            let start = clock.now
            let process = try self.start([emulatorArgument, String(port)])
            defer { process.terminate() }
            while true {
                if await answers("http://127.0.0.1:\(port)\(path)") { break }
                guard (clock.now - start) / .seconds(1) < maximumAnswerSeconds else {
                    throw BenchError("the emulator did not start")
                }
                try await Task.sleep(for: .milliseconds(1))
            }
            return 1 / ((clock.now - start) / .seconds(1))
        }
    }

    /// Whether an address answers with 200.
    static func answers(_ url: String) async -> Bool {
        let response = try? await HTTPClient.shared.execute(
            HTTPClientRequest(url: url),
            timeout: .seconds(10)
        )
        guard let response else { return false }
        _ = try? await response.body.collect(upTo: 1 << 20)
        return response.status == .ok
    }

    private static func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = arguments
        try process.run()
        return process
    }
}
