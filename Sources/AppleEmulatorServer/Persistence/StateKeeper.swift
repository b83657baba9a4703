import AppleEmulator
import AppleIdentity
import Foundation
import Logging
import NIOPosix
import ServiceLifecycle

/// Writes an emulator's state into its folder a moment after each change, and when it ends.
struct StateKeeper: Service {
    /// How long changes are collected before they are written, in seconds.
    static let delaySeconds: TimeInterval = 1
    /// The longest that they wait when writing takes long, in seconds.
    static let maximumDelaySeconds: TimeInterval = 30
    /// How many times as long as it writes the keeper rests, so that requests are not slowed.
    private static let restFactor: TimeInterval = 20

    let emulator: AppleEmulator
    let folder: StateFolder
    let time: TimeSource
    let logger: Logger

    func run() async throws {
        await emulator.watchState()
        var kept: StateMark?
        try await write(unless: &kept)
        await cancelWhenGracefulShutdown { [kept] in
            var kept = kept
            await keep(&kept)
        }
        // What came in the last moment is written too, also by a task that was cancelled.
        try folder.write(await emulator.takeState())
    }

    private func keep(_ kept: inout StateMark?) async {
        var delay = Self.delaySeconds
        while !Task.isCancelled {
            await emulator.stateSignal.wait()
            // A sleep that is cancelled ends the keeping as well.
            try? await time.sleep(for: .seconds(delay))
            guard !Task.isCancelled else { return }
            let start = time.now
            do {
                try await write(unless: &kept)
            } catch {
                logger.error("the state was not kept", metadata: ["error": "\(error)"])
                emulator.stateSignal.send()
            }
            let rest = time.now.timeIntervalSince(start) * Self.restFactor
            delay = min(max(rest, Self.delaySeconds), Self.maximumDelaySeconds)
        }
    }

    /// Writes what is there now, unless it was written already: a request may change nothing kept.
    private func write(unless kept: inout StateMark?) async throws {
        let data = await emulator.takeState()
        let mark = StateMark(data)
        guard mark != kept else { return }
        // Waiting for the disk is not for the threads that answer requests.
        try await NIOThreadPool.singleton.runIfActive { [folder] in try folder.write(data) }
        kept = mark
    }
}

/// Tells one text from another without keeping it.
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
