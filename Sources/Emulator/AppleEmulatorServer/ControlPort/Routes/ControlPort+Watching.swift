import AppleEmulator
import AppleIdentity
import HTTPTypes
import Hummingbird
import OpenAPIDescription
import ServiceLifecycle

/// The routes that list requests, notifications and mail.
extension ControlPort {
    var watching: [ControlRoute] {
        [
            ControlRoute(
                .post("reset", .state),
                "reset",
                "Reset to the seed",
                fields: [],
                answers: .ok("The state.", ControlSchemas.state.reference)
            ) { .found(try await $0.emulator.reset($0.object)) },
            ControlRoute(
                .get("health", .state),
                "showHealth",
                "Report whether all ports are listening",
                answers: .ok(
                    "All ports listen.",
                    .object([.required("status", .word(["ok"]))], isClosed: true)
                ),
                refusals: [.starting]
            ) { _ in
                guard addresses() != nil else { throw ControlProblem.starting }
                return .found(["status": "ok"])
            },
            ControlRoute(
                .get("addresses", .state),
                "showAddresses",
                "Show where the emulator listens",
                answers: .ok(
                    "The addresses, in the format of `--json`.",
                    .required("apple", .text("The base URL of Apple's endpoints.")),
                    .required("control", .text("The URL of this port.")),
                    .optional("smtp", .text("The mail relay, as host and port.")),
                    .optional("tls", .text("Apple's port over TLS, as host and port.")),
                    .optional("ca", .text("The path of its CA certificate."))
                ),
                refusals: [.starting]
            ) {
                guard let addresses = addresses() else { throw ControlProblem.starting }
                return .found(addresses.adding($0.world.path).object)
            },
            ControlRoute(
                .get("state", .state),
                "showState",
                "Show everything that is registered, including private keys",
                answers: .ok("The state.", ControlSchemas.state.reference)
            ) { .found(await $0.emulator.state()) },
            ControlRoute(
                .get("requests", .signIns),
                "listRequests",
                "List the latest requests to Apple's port, with the reason for each refusal",
                query: [.after, .wait],
                answers: .ok("Oldest first.", ControlSchemas.list("requests", of: .request)),
                refusals: [.tooManyWaiting]
            ) { try await answer(.requests, to: $0) },
        ]
    }

    var notifying: [ControlRoute] {
        [
            ControlRoute(
                .get("notifications", .notifications),
                "listNotifications",
                "List the notifications, each with the receiver's responses",
                query: [.after, .wait],
                answers: .ok(
                    "Oldest first.",
                    ControlSchemas.list("notifications", of: .notification)
                ),
                refusals: [.tooManyWaiting]
            ) { try await answer(.notifications, to: $0) },
            ControlRoute(
                .post("notifications", .notifications),
                "sendNotification",
                "Send a valid or malformed notification, regardless of what people did",
                body: ControlBody.notification.restricted(
                    by: ControlRules.one(of: "person", "sub")
                ),
                answers: .created(
                    "The created notification.",
                    ControlSchemas.notification.reference
                )
            ) { .made(try await $0.emulator.sendNotification($0.object)) },
            ControlRoute(
                .get("notifications/settings", .notifications),
                "showNotificationSettings",
                "Show how notifications are sent",
                answers: .ok("The settings.", ControlSchemas.notificationSettings.reference)
            ) { .found(await $0.emulator.notificationSettings()) },
            ControlRoute(
                .post("notifications/settings", .notifications),
                "changeNotificationSettings",
                "Change how notifications are sent, until a reset",
                body: ControlBody.notificationSettings,
                answers: .ok("The settings.", ControlSchemas.notificationSettings.reference)
            ) { .found(try await $0.emulator.changeNotificationSettings($0.object)) },
        ]
    }

    var mailing: [ControlRoute] {
        [
            ControlRoute(
                .get("mail", .mail),
                "listMail",
                "List all inboxes, the replies, and the refused mail",
                query: [
                    .optional(
                        "person",
                        .query(
                            "The email address of a person or of another recipient.",
                            format: "idn-email"
                        )
                    ),
                    .after, .wait,
                ],
                answers: .ok("Oldest first.", ControlSchemas.mailList.reference),
                refusals: [.tooManyWaiting]
            ) {
                let person = try $0.optionalQuery("person")
                return try await answer(.mail(person: person), to: $0)
            },
            ControlRoute(
                .delete("mail", .mail),
                "clearMail",
                "Delete mail, replies and bounces",
                done: "All mail is deleted."
            ) { await $0.emulator.clearMail() },
            ControlRoute(
                .get("mail/{id}", .mail),
                "showMail",
                "Show one delivered or refused message with its headers, text, HTML and attachments",
                answers: .ok("The message.", ControlSchemas.mail.reference)
            ) { .found(try await $0.emulator.mail(id: $0.parameter("id"))) },
            ControlRoute(
                .post("mail/{id}/reply", .mail),
                "replyToMail",
                "Reply to a message as the person, through the relay if it came through it",
                fields: [.required("text", ControlBody.longText)],
                answers: .created(
                    "The reply as sent.",
                    .required("id", .integer),
                    .required("state", .text())
                ),
                refusals: [.conflict]
            ) { .made(try await $0.emulator.replyToMail(id: $0.parameter("id"), $0.object)) },
        ]
    }

    /// Responds with the items after `after`; when there are none, waits up to `wait` seconds.
    private func answer(_ list: WatchedList, to request: ControlRequest) async throws
        -> ControlAnswer
    {
        let number = try request.optionalNumber("after", in: 0...ControlRequest.maximumNumber) ?? 0
        let wait = try request.optionalNumber("wait", in: 0...AppleEmulator.maximumWaitSeconds)
        let found = try await request.emulator.items(of: list, after: number)
        let hasItems = found.members.contains { $0.value.arrayValue?.isEmpty == false }
        guard let wait, wait > 0, !hasItems else { return .found(found) }
        do {
            try await request.whileClientListens { [emulator = request.emulator] in
                try await cancelWhenGracefulShutdown {
                    try await emulator.waitForItem(of: list, after: number, atMost: .seconds(wait))
                }
            }
        } catch is TooManyWatchers {
            throw ControlProblem.tooManyWaiting
        } catch is CancellationError {
            // The server stops, or the client is gone: respond with the items so far.
        }
        return .found(try await request.emulator.items(of: list, after: number))
    }
}
