import AppleEmulator
import AppleIdentity
import Foundation
import Logging
import NIOPosix
import ServiceLifecycle

/// Writes an emulator's state to its folder shortly after each change, and at the end.
struct StateKeeper: Service {
    /// The seconds for which changes are collected before they are written.
    static let delaySeconds: TimeInterval = 1
    /// The maximum of these seconds when writing takes long.
    static let maximumDelaySeconds: TimeInterval = 30
    /// The ratio of pause to writing time, which keeps requests fast.
    private static let restFactor: TimeInterval = 20

    let emulator: AppleEmulator
    let folder: StateFolder
    let time: TimeSource
    let logger: Logger

    func run() async throws {
        await emulator.watchState()
        var written: StateMark?
        try await write(unless: &written)
        await cancelWhenGracefulShutdown { [written] in
            var written = written
            await keep(&written)
        }
        // The last changes are written too, even if the task was cancelled.
        try folder.write(await emulator.takeState())
    }

    private func keep(_ written: inout StateMark?) async {
        var delay = Self.delaySeconds
        while !Task.isCancelled {
            await emulator.stateSignal.wait()
            // A cancelled sleep ends the loop.
            try? await time.sleep(for: .seconds(delay))
            guard !Task.isCancelled else { return }
            let start = time.now
            do {
                try await write(unless: &written)
            } catch {
                logger.error("the state could not be saved", metadata: ["error": "\(error)"])
                emulator.stateSignal.send()
            }
            let rest = time.now.timeIntervalSince(start) * Self.restFactor
            delay = min(max(rest, Self.delaySeconds), Self.maximumDelaySeconds)
        }
    }

    /// Writes the state unless it is unchanged: many requests change nothing that is stored.
    private func write(unless written: inout StateMark?) async throws {
        let data = await emulator.takeState()
        let mark = StateMark(data)
        guard mark != written else { return }
        // The threads that handle requests must not wait for the disk.
        try await NIOThreadPool.singleton.runIfActive { [folder] in try folder.write(data) }
        written = mark
    }
}

/// Identifies data by its length and hash, without keeping it.
private struct StateMark: Hashable {
    private let byteCount: Int
    private let hash: Int

    init(_ data: Data) {
        var hasher = Hasher()
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
        byteCount = data.count
        hash = hasher.finalize()
    }
}
