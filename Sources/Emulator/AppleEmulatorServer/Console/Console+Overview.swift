import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation

/// The first page: the tour, addresses, settings and the latest requests.
extension Console {
    /// The number of latest requests that the overview shows.
    private static let maximumRequestCount = 10

    var overviewRoutes: [ConsoleRoute] {
        [
            ConsoleRoute("/", .overview, page: overview),
            ConsoleRoute("console/reset", .overview, page: overview) { visit in
                try await visit.emulator.reset()
                return .done(.reset, at: ConsoleSection.overview.path)
            },
        ]
    }

    private static let resetForm = ConsoleForm(
        "reset",
        to: "/console/reset",
        "Reset to the seed",
        .danger
    )

    @Sendable func overview(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let facts = await visit.emulator.consoleFacts()
        let requests = await visit.emulator.requests()
        let addresses = addresses()?.adding(visit.world.path)
        let isTourHidden = visit.world.tourIsHidden.withLock { $0 }
        var steps = JSONValue.null
        if !isTourHidden { steps = .object(try await tour(visit)) }
        var page = ConsolePage(
            .overview,
            template: "console-overview",
            content: [
                "is_new": .boolean(facts["apps"] == 0),
                "snippet": .string(Self.snippet(control: addresses?.control.absoluteString ?? "")),
                "apple": .string(addresses?.apple.absoluteString ?? ""),
                "tour": steps,
                "show_tour": isTourHidden ? visit.content(of: Self.showTourForm) : .null,
                "addresses": .list(Self.facts(addresses, issuer: facts.text("issuer"))),
                "facts": .list(Self.settings(facts)),
                "requests": .list(
                    requests.suffix(Self.maximumRequestCount).reversed().map(Self.request)
                ),
                "requests_empty": .string("No requests yet."),
                "reset": visit.content(of: Self.resetForm),
            ]
        )
        page.drawsFlows = true
        return page
    }

    private static func facts(_ addresses: EmulatorAddresses?, issuer: String) -> [JSONObject] {
        var facts: [JSONObject] = []
        if let addresses {
            let apple = addresses.apple.absoluteString
            let linked = [
                ("Apple", apple), ("Discovery", apple + "/.well-known/openid-configuration"),
                ("Account page", apple + "/account"),
            ]
            facts = linked.map { label, value in
                ["label": .string(label), "value": .string(value), "link": .string(value)]
            }
            for (label, value) in [
                ("This port", addresses.control.absoluteString),
                ("SMTP", addresses.smtp ?? "not running"),
            ] { facts.append(["label": .string(label), "value": .string(value)]) }
        }
        facts.append(["label": .string("Issuer"), "value": .string(issuer)])
        return facts
    }

    private static func settings(_ facts: JSONObject) -> [JSONObject] {
        let offset = facts["clock_offset_seconds"]?.integerValue ?? 0
        let changed = facts["changed_switches"]?.integerValue ?? 0
        let loopback = facts["strict"] == true ? "refused (--strict)" : "accepted when registered"
        let settings = [
            ("Clock offset", ConsoleText.offset(offset)), ("Loopback addresses", loopback),
            (
                "Switches",
                changed == 0
                    ? "none changed" : "\(changed) changed"
            ),
        ]
        return settings.map { label, value in
            ["label": .string(label), "value": .string(value)]
        }
    }

    static func request(_ object: JSONObject) -> JSONObject {
        let status = object["status"]?.integerValue
        let isRefused = status.map { $0 >= 400 } ?? true
        return object.readable("time").merging([
            "is_refused": .boolean(isRefused),
            "hint_title": .string(isRefused ? "Likely fix" : "Note"),
            "has_words": .boolean(object["reason"] != nil || object["hint"] != nil),
        ])
    }

    private static func snippet(control: String) -> String {
        """
        curl \(control)/teams --json '{"team_id": "EXAMPLE123"}'
        curl \(control)/keys --json '{"team_id": "EXAMPLE123"}'
        curl \(control)/apps --json '{"team_id": "EXAMPLE123", "client_id": "com.example.app"}'
        curl \(control)/services --json '{"client_id": "com.example.app.web",
          "primary_client_id": "com.example.app", "return_urls": ["http://localhost:3000/callback"]}'
        curl \(control)/people --json '{"email": "maya@example.com", "given_name": "Maya"}'
        """
    }
}
