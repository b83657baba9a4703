import AppleEmulator
import AppleIdentity
import Foundation
import Logging
import TestSupport
import Testing

@testable import AppleEmulatorServer

@Suite("Keeping the state") struct StateKeeperTests {
    private let temporary: TemporaryPath
    private var path: String { temporary.text }

    init() throws { temporary = try TemporaryPath(isMade: false) }

    private static func keeper(
        _ emulator: AppleEmulator,
        _ folder: StateFolder,
        _ time: TimeSource
    ) -> StateKeeper {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return StateKeeper(emulator: emulator, folder: folder, time: time, logger: logger)
    }

    @Test(
        "A change is written a second later, and the last one at the end",
        .timeLimit(.minutes(2))
    )
    func writes() async throws {
        let folder = try StateFolder(path: path)
        let emulator = try await AppleEmulator()
        let time = ManualTime()
        let running = Task { try await Self.keeper(emulator, folder, time.source).run() }
        try await waitUntil { try folder.read() != nil }
        _ = try await emulator.add(.team, ["team_id": "TEAM000001"])
        try await waitUntil { time.sleeperCount > 0 }
        #expect(try Self.text(folder).contains("TEAM000001") == false)
        time.advance(bySeconds: StateKeeper.delaySeconds)
        try await waitUntil { try Self.text(folder).contains("TEAM000001") }
        _ = try await emulator.add(.team, ["team_id": "TEAM000002"])
        running.cancel()
        try await running.value
        #expect(try folder.read() == (await emulator.takeState()))
        let (restored, isRestored) = try await folder.emulator(seed: Seed(), configuration: .init())
        #expect(isRestored)
        #expect(await restored.state()["teams"] == (await emulator.state())["teams"])
    }

    @Test("A failed write is retried, and reported at the end", .timeLimit(.minutes(2)))
    func failure() async throws {
        let folder = try StateFolder(path: path)
        let emulator = try await AppleEmulator()
        let time = ManualTime()
        let running = Task { try await Self.keeper(emulator, folder, time.source).run() }
        try await waitUntil { try folder.read() != nil }
        try FileManager.default.removeItem(atPath: folder.filePath)
        try FileManager.default.createDirectory(
            atPath: folder.filePath,
            withIntermediateDirectories: false
        )
        _ = try await emulator.add(.team, ["team_id": "TEAM000001"])
        for _ in 1...2 {
            try await waitUntil { time.sleeperCount > 0 }
            time.advance(bySeconds: StateKeeper.delaySeconds)
            // The attempt leaves what could not take the file's place.
            let attempt = folder.filePath + ".new"
            try await waitUntil { FileManager.default.fileExists(atPath: attempt) }
            try FileManager.default.removeItem(atPath: attempt)
        }
        try FileManager.default.removeItem(atPath: folder.filePath)
        try await waitUntil { time.sleeperCount > 0 }
        time.advance(bySeconds: StateKeeper.delaySeconds)
        try await waitUntil { try folder.read() != nil }
        #expect(try Self.text(folder).contains("TEAM000001"))
        try FileManager.default.removeItem(atPath: path)
        running.cancel()
        await #expect(throws: StateFolderError.self) { try await running.value }
    }

    private static func text(_ folder: StateFolder) throws -> String {
        String(decoding: try folder.read() ?? Data(), as: UTF8.self)
    }
}
