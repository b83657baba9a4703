import AppleIdentity
import Foundation

extension AppleEmulator {
    package static let maximumWaitSeconds = 60
    package static let maximumWatcherCount = 256

    package nonisolated func items(
        of list: WatchedList,
        after number: Int
    ) async throws(ControlRefusal) -> JSONObject {
        try await read { try $0.items(of: list, after: number) }.object
    }

    /// Returns as soon as a list has an item after a number, or at the timeout.
    ///
    /// The timeout uses the machine's clock, not the emulator's, which tests move.
    package func waitForItem(
        of list: WatchedList,
        after number: Int,
        atMost duration: Duration
    ) async throws {
        guard watchers.count < Self.maximumWatcherCount else { throw TooManyWatchers() }
        // Each caller has its own signal, so none misses one that another caller received.
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

    package var watcherCount: Int { watchers.count }

    private func watch(_ list: WatchedList, after number: Int, _ signal: Signal) async throws {
        while try currentState.items(of: list, after: number).isEmpty {
            await signal.wait()
            try Task.checkCancellation()
        }
    }
}

/// The error at the maximum number of waiting callers.
package struct TooManyWatchers: Error {}

/// A list of items with increasing numbers.
package enum WatchedList: Sendable {
    case requests
    case notifications
    /// The mail of a person, or of everyone if nil.
    case mail(person: String?)
}

/// The items of a list after a number.
enum ListItems {
    /// Items in their response form.
    case objects(name: String, [JSONObject], lastNumber: Int)
    /// Mail, which is encoded outside of the actor because it is large.
    case mail(MailList, lastNumber: Int)

    var isEmpty: Bool {
        switch self {
        case .objects(_, let objects, _): objects.isEmpty
        case .mail(let list, _): list.isEmpty
        }
    }

    var object: JSONObject {
        switch self {
        case .objects(let name, let objects, let lastNumber):
            return [name: .array(objects.map { .object($0) }), "last_number": .integer(lastNumber)]
        case .mail(let list, let lastNumber):
            var object = list.object
            object["last_number"] = .integer(lastNumber)
            return object
        }
    }
}

extension EmulatorState {
    func items(of list: WatchedList, after number: Int) throws(ControlRefusal) -> ListItems {
        switch list {
        case .requests:
            .objects(name: "requests", log.objects(after: number), lastNumber: log.lastNumber)
        case .notifications:
            .objects(
                name: "notifications",
                deliveries.deliveries.filter { $0.number > number }.map(\.object),
                lastNumber: deliveries.lastNumber
            )
        case .mail(let person):
            .mail(try mailList(of: person, after: number), lastNumber: mail.lastNumber)
        }
    }

    /// The highest numbers of the lists, which change with each new item.
    var listNumbers: [Int] { [log.lastNumber, deliveries.lastNumber, mail.lastNumber] }

    mutating func continueNumbers(of other: EmulatorState) {
        log.lastNumber = max(log.lastNumber, other.log.lastNumber)
        deliveries.lastNumber = max(deliveries.lastNumber, other.deliveries.lastNumber)
        mail.lastNumber = max(mail.lastNumber, other.mail.lastNumber)
        faults.lastID = max(faults.lastID, other.faults.lastID)
    }
}
