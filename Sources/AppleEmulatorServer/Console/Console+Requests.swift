import AppleEmulator
import AppleEmulatorPages
import AppleIdentity

/// Each request to Apple's port, and the reason of each refusal.
extension Console {
    /// How many requests the page shows.
    private static let maximumShownCount = 200

    var requestRoutes: [ConsoleRoute] {
        [ConsoleRoute("console/requests", .requests, page: requests)]
    }

    @Sendable private func requests(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let areRefusals = visit.query("only") == "refused"
        let all = await emulator.requests().reversed().map(Self.request)
        let wanted = areRefusals ? all.filter { $0["is_refused"] == true } : all
        let more = wanted.count - Self.maximumShownCount
        return ConsolePage(
            .requests,
            template: "console-requests",
            content: [
                "are_refusals": .boolean(areRefusals),
                "requests": .list(wanted.prefix(Self.maximumShownCount)),
                "requests_empty": areRefusals && !all.isEmpty
                    ? "No request was refused." : "No requests yet.",
                "more": more > 0 ? .string("\(more) older ones are in the JSON.") : "",
            ]
        )
    }
}
