import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation

/// The page of requests to Apple's port, with the reason of each refusal.
extension Console {
    private static let otherPath = "other"
    private static let paths = [
        ApplePath.authorize, SheetPage.path, ApplePath.token, ApplePath.revoke, ApplePath.keys,
        ApplePath.discovery, ApplePath.userMigrationInformation,
    ]

    var requestRoutes: [ConsoleRoute] {
        [ConsoleRoute("console/requests", .requests, page: requests)]
    }

    @Sendable private func requests(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let flows = await Self.flows(ofPerson: visit.query("person"), visit)
        let list = ConsoleList(.requests, Self.filters(flows: flows), visit)
        return ConsolePage(
            .requests,
            template: "console-requests",
            content: list.content(
                of: await visit.emulator.requests().map(Self.request),
                named: "requests",
                row: { $0 }
            )
            .merging(["requests_empty": .string(Self.words(ofNone: visit))])
        )
    }

    private static func words(ofNone visit: ConsoleVisit) -> String {
        let names = ["person", "path", "only", "from"]
        return names.allSatisfy { visit.query($0).isEmpty }
            ? "No requests yet." : "No request matches."
    }

    private static var pathOptions: [(value: String, label: String)] {
        let known = paths.map { (value: $0, label: $0) }
        return [(value: "", label: "any")] + known + [(value: otherPath, label: "any other")]
    }

    private static func filters(flows: Set<String>) -> [ConsoleList.Filter] {
        [
            ConsoleList.Filter(
                field: ConsoleField("person", "Person", .email)
                    .hint("An email address; only requests of a sign-in have a person.")
            ) { request, _ in flows.contains(request.text("flow")) },
            ConsoleList.Filter(field: ConsoleField("path", "Path", .choice(pathOptions))) {
                request,
                path in
                path == otherPath
                    ? !paths.contains(request.text("path")) : request.text("path") == path
            },
            ConsoleList.Filter(
                field: ConsoleField(
                    "only",
                    "Status",
                    .choice([("", "any"), ("accepted", "accepted"), ("refused", "refused")])
                )
            ) { request, status in request["is_refused"] == .boolean(status == "refused") },
        ]
    }

    /// The identifiers of the sign-ins of a person; empty without an address.
    private static func flows(ofPerson email: String, _ visit: ConsoleVisit) async -> Set<String> {
        guard !email.isEmpty else { return [] }
        let wanted = email.trimmingCharacters(in: .whitespaces).lowercased()
        let flows = await visit.emulator.flowSnapshots()
        return Set(flows.filter { $0.email?.lowercased() == wanted }.map(\.id.text))
    }
}
