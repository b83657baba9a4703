import AppleIdentity
import Foundation

extension AppleEmulator {
    /// The longest time a caller may wait for an item, in seconds.
    package static let maximumWaitSeconds = 60
    /// How many callers may wait at a time.
    package static let maximumWatcherCount = 256

    /// The items of a list behind a number.
    package nonisolated func items(
        of list: WatchedList,
        after number: Int
    ) async throws(ControlRefusal) -> JSONObject {
        try await foundItems(of: list, after: number).object
    }

    /// Returns as soon as a list has an item behind a number, or when the time is up.
    ///
    /// The machine's clock counts the time, not Apple's, which tests move.
    package func waitForItem(
        of list: WatchedList,
        after number: Int,
        atMost duration: Duration
    ) async throws {
        guard watchers.count < Self.maximumWatcherCount else { throw TooManyWatchers() }
        // A signal of its own: what rings for one caller is not missed by another.
        let (id, signal) = (UUID(), Signal())
        watchers[id] = signal
        defer { watchers[id] = nil }
        try await withThrowingTaskGroup(of: Void.self) { [time] group in
            group.addTask { try await time.sleep(for: duration) }
            group.addTask { try await self.watch(list, after: number, signal) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// How many callers wait.
    package var watcherCount: Int { watchers.count }

    private func watch(_ list: WatchedList, after number: Int, _ signal: Signal) async throws {
        while try currentState.items(of: list, after: number).isEmpty {
            await signal.wait()
            try Task.checkCancellation()
        }
    }

    private func foundItems(
        of list: WatchedList,
        after number: Int
    ) throws(ControlRefusal) -> ListItems {
        try currentState.items(of: list, after: number)
    }
}

/// As many callers as may wait for an item do so already.
package struct TooManyWatchers: Error {}
