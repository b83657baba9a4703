import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation

/// The page of notifications to the apps' servers, with each attempt and its response.
extension Console {
    private static let events: [(value: String, label: String)] = [
        "consent-revoked", "account-deleted", "account-delete", "email-disabled", "email-enabled",
    ]
    .map { ($0, $0) }

    private static let anyOption = (value: "", label: "any")
    private static let states: [(value: String, label: String)] = [
        "delivered", "pending", "given_up", "not_sent",
    ]
    .map { ($0, ConsoleText.state($0)) }

    var notificationRoutes: [ConsoleRoute] {
        let path = "console/notifications"
        return [
            ConsoleRoute(path, .notifications, page: notifications, action: send),
            ConsoleRoute(path + "/again", .notifications, page: notifications, action: sendAgain),
            ConsoleRoute(path + "/settings", .notifications, page: notifications, action: change),
        ]
    }

    private func sendForm(_ registry: JSONObject) -> ConsoleForm {
        let clients = registry.objects("apps") + registry.objects("services")
        let defects = AppleEmulator.notificationDefects.map { defect in
            (value: defect, label: defect.replacing("_", with: " "))
        }
        return ConsoleForm("send", to: ConsoleSection.notifications.path, "Send", .primary)
            .asking([
                ConsoleField("type", "Event", .choice(Self.events)),
                Self.choice("client_id", "App", among: clients, by: "client_id"),
                ConsoleField("person", "Person", .email)
                    .hint("The email address of a person who has signed in to the app."),
                ConsoleField("sub", "sub").hint("Any subject, instead of a person."),
                ConsoleField(
                    "malformed",
                    "Defect",
                    .choice([(value: "", label: "none: as Apple sends it")] + defects)
                ),
                ConsoleField("duplicates", "Extra copies", .number, value: "0"),
                ConsoleField("delay_seconds", "Delay in seconds", .number, value: "0"),
            ])
    }

    private static func settingsForm(_ settings: JSONObject) -> ConsoleForm {
        let waits = ConsoleText.input(settings["retry_after_seconds"]).replacing("\n", with: ", ")
        return ConsoleForm("settings", to: "/console/notifications/settings", "Save")
            .asking([
                ConsoleField(
                    "account_deletion",
                    "Name of the deletion event",
                    .choice(events.filter { $0.value.hasPrefix("account") })
                ),
                ConsoleField("retry_after_seconds", "Delays before each retry")
                    .hint("Seconds, separated by commas; empty for a single attempt."),
                ConsoleField("duplicates", "Extra copies", .number),
                ConsoleField("delay_seconds", "Delay in seconds", .number),
                ConsoleField("on_revocation", "/auth/revoke also sends consent-revoked", .check),
            ])
            .filled(with: settings.merging(["retry_after_seconds": .string(waits)]))
    }

    @Sendable private func notifications(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let registry = await visit.emulator.consoleRegistry()
        let settings = await visit.emulator.notificationSettings()
        let all = await visit.emulator.notifications()
            .filter { ($0["of_check"] == true) == visit.isOfCheck }
        let subjects = await Self.subjects(ofPerson: visit.query("person"), visit)
        let list = ConsoleList(.notifications, Self.filters(subjects: subjects), visit)
        let content = list.content(of: all, named: "notifications") { Self.delivery($0, visit) }
        return ConsolePage(
            .notifications,
            template: "console-notifications",
            content: content.merging([
                "forms": .list([
                    Self.opened(sendForm(registry), "Send a notification", visit),
                    Self.opened(Self.settingsForm(settings), "How notifications are sent", visit),
                ])
            ])
        )
    }

    private static func filters(subjects: Set<String>) -> [ConsoleList.Filter] {
        [
            ConsoleList.Filter(
                field: ConsoleField("person", "Person")
                    .hint("An email address or a sub.")
            ) { delivery, person in
                subjects.contains(delivery.text("sub")) || delivery.text("sub") == person
                    || delivery.text("email").lowercased() == person.lowercased()
            },
            ConsoleList.Filter(
                field: ConsoleField("type", "Event", .choice([anyOption] + events))
            ) { $0.text("type") == $1 },
            ConsoleList.Filter(
                field: ConsoleField("state", "Status", .choice([anyOption] + states))
            ) { $0.text("state") == $1 },
        ]
    }

    /// The identifiers of a person by team; empty if no one has the address.
    private static func subjects(ofPerson email: String, _ visit: ConsoleVisit) async -> Set<String>
    {
        guard let person = try? await visit.emulator.consolePerson(email) else { return [] }
        return Set(person.objects("teams").map { $0.text("user") })
    }

    private static func delivery(_ delivery: JSONObject, _ visit: ConsoleVisit) -> JSONObject {
        let number = delivery["number"]?.integerValue ?? 0
        let state = delivery.text("state")
        let again = ConsoleForm("again-\(number)", to: "/console/notifications/again", "Send again")
            .sending(
                [("number", String(number))],
                spoken: "Send notification \(number) again"
            )
        return delivery.readable("time", "due_at").merging([
            "state": .string(ConsoleText.state(state)),
            "is_delivered": .boolean(state == "delivered"),
            "is_pending": .boolean(state == "pending"),
            "is_failed": .boolean(state == "given_up" || state == "not_sent"),
            "attempt_words": .string(Self.attemptWords(delivery.objects("attempts").count)),
            "attempts": .list(
                delivery.objects("attempts").map { attempt in
                    attempt.readable("time").merging([
                        "is_received": .boolean(attempt["status"] == 200)
                    ])
                }
            ),
            "claims_text": .string(ConsoleText.lines(delivery["claims"]?.objectValue ?? [:])),
            "again": visit.content(of: again),
        ])
    }

    private static func attemptWords(_ count: Int) -> String {
        count == 0 ? "no attempt" : count == 1 ? "1 attempt" : "\(count) attempts"
    }

    @Sendable private func send(_ visit: ConsoleVisit) async throws -> ConsoleOutcome {
        let registry = await visit.emulator.consoleRegistry()
        _ = try await visit.emulator.sendNotification(visit.object(of: sendForm(registry)))
        return .done(.notificationSent, at: ConsoleSection.notifications.path)
    }

    /// Sends the same event about the same person as a new notification.
    @Sendable private func sendAgain(_ visit: ConsoleVisit) async throws -> ConsoleOutcome {
        let number = Int(visit["number"])
        let all = await visit.emulator.notifications()
        guard let number, let sent = all.first(where: { $0["number"] == .integer(number) }) else {
            let message = "there is no such notification, or it is no longer stored"
            throw ControlRefusal.notFound("number", message)
        }
        var order = JSONObject()
        for name in ["type", "client_id", "sub", "email", "malformed"] { order[name] = sent[name] }
        _ = try await visit.emulator.sendNotification(order)
        return .done(.notificationSent, at: ConsoleSection.notifications.path)
    }

    @Sendable private func change(_ visit: ConsoleVisit) async throws -> ConsoleOutcome {
        var settings = visit.object(of: Self.settingsForm(JSONObject()))
        let waits = visit["retry_after_seconds"].split(separator: ",").map { part in
            let text = String(part).trimmingCharacters(in: .whitespaces)
            return Int(text).map { JSONValue.integer($0) } ?? .string(text)
        }
        settings["retry_after_seconds"] = .array(waits)
        _ = try await visit.emulator.changeNotificationSettings(settings)
        return .done(.settingsChanged, at: ConsoleSection.notifications.path)
    }
}
