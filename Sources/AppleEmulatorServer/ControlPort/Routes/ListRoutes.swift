import AppleEmulator
import AppleIdentity
import HTTPTypes
import ServiceLifecycle

/// The routes that list what happened, and can wait until something does.
struct ListRoutes {
    let emulator: AppleEmulator

    /// Answers the items of a list behind `after`; when there are none, waits for `wait` seconds.
    func answer(_ list: WatchedList, to request: ControlRequest) async throws -> ControlAnswer {
        let number = try request.optionalNumber("after", in: 0...ControlRequest.maximumNumber) ?? 0
        let seconds = try request.optionalNumber("wait", in: 0...AppleEmulator.maximumWaitSeconds)
        let found = try await emulator.items(of: list, after: number)
        guard let seconds, seconds > 0, !Self.hasItems(found) else { return .found(found) }
        try await wait(for: list, after: number, seconds: seconds, request)
        return .found(try await emulator.items(of: list, after: number))
    }

    private func wait(
        for list: WatchedList,
        after number: Int,
        seconds: Int,
        _ request: ControlRequest
    ) async throws {
        do {
            try await request.whileClientListens { [emulator] in
                try await cancelWhenGracefulShutdown {
                    try await emulator.waitForItem(
                        of: list,
                        after: number,
                        atMost: .seconds(seconds)
                    )
                }
            }
        } catch is TooManyWatchers {
            throw ControlProblem.tooManyWaiting
        } catch is CancellationError {
            // The server ends, or nobody listens any more: what is there is answered.
        }
    }

    private static func hasItems(_ object: JSONObject) -> Bool {
        object.members.contains { $0.value.arrayValue?.isEmpty == false }
    }
}
