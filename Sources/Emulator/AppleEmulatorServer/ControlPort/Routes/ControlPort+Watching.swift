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
                "reset",
                .post(Self.reset) { .found(try await emulator.reset($0.object)) }
            ),
            ControlRoute(
                "health",
                .get(Self.health) { _ in
                    guard addresses() != nil else { throw ControlProblem.starting }
                    return .found(["status": "ok"])
                }
            ),
            ControlRoute(
                "addresses",
                .get(Self.whereabouts) { _ in
                    guard let addresses = addresses() else { throw ControlProblem.starting }
                    return .found(addresses.object)
                }
            ),
            ControlRoute("state", .get(Self.state) { _ in .found(await emulator.state()) }),
            ControlRoute(
                "requests",
                .get(Self.requests) { try await lists.answer(.requests, to: $0) }
            ),
        ]
    }

    var notifying: [ControlRoute] {
        [
            ControlRoute(
                "notifications",
                .get(Self.notifications) { try await lists.answer(.notifications, to: $0) },
                .post(Self.notification) { .made(try await emulator.sendNotification($0.object)) }
            ),
            ControlRoute(
                "notifications/settings",
                .get(Self.settings) { _ in .found(await emulator.notificationSettings()) },
                .post(Self.settingsChange) {
                    .found(try await emulator.changeNotificationSettings($0.object))
                }
            ),
        ]
    }

    var mailing: [ControlRoute] {
        [
            ControlRoute(
                "mail",
                .get(Self.mailList) {
                    let person = try $0.optionalQuery("person")
                    return try await lists.answer(.mail(person: person), to: $0)
                },
                .delete(Self.mailEnd) { _ in
                    await emulator.clearMail()
                    return .done
                }
            ),
            ControlRoute(
                "mail/{id}",
                .get(Self.mail) { .found(try await emulator.mail(id: $0.parameter("id"))) }
            ),
            ControlRoute(
                "mail/{id}/reply",
                .post(Self.reply) {
                    .made(try await emulator.replyToMail(id: $0.parameter("id"), $0.object))
                }
            ),
        ]
    }

    // MARK: Descriptions

    private static let reset = ControlDescription(
        "reset",
        .state,
        "Reset to the seed",
        fields: [],
        answers: [.ok("The state.", ControlSchemas.state.reference)]
    )

    private static let health = ControlDescription(
        "showHealth",
        .state,
        "Report whether all ports are listening",
        answers: [
            .ok("All ports listen.", .object([.required("status", .word(["ok"]))], isClosed: true))
        ],
        refusals: [.starting]
    )

    private static let whereabouts = ControlDescription(
        "showAddresses",
        .state,
        "Show where the emulator listens",
        answers: [
            .ok(
                "The addresses, in the format of `--json`.",
                .object([
                    .required("apple", .text("The base URL of Apple's endpoints.")),
                    .required("control", .text("The URL of this port.")),
                    .optional("smtp", .text("The mail relay, as host and port.")),
                    .optional("tls", .text("Apple's port over TLS, as host and port.")),
                    .optional("ca", .text("The path of its CA certificate.")),
                ])
            )
        ],
        refusals: [.starting]
    )

    private static let state = ControlDescription(
        "showState",
        .state,
        "Show everything that is registered, including private keys",
        answers: [.ok("The state.", ControlSchemas.state.reference)]
    )

    private static let requests = ControlDescription(
        "listRequests",
        .signIns,
        "List the latest requests to Apple's port, with the reason for each refusal",
        query: [.after, .wait],
        answers: [.ok("Oldest first.", ControlSchemas.list("requests", of: .request))],
        refusals: [.tooManyWaiting]
    )

    private static let notifications = ControlDescription(
        "listNotifications",
        .notifications,
        "List the notifications, each with the receiver's responses",
        query: [.after, .wait],
        answers: [.ok("Oldest first.", ControlSchemas.list("notifications", of: .notification))],
        refusals: [.tooManyWaiting]
    )

    private static let notification = ControlDescription(
        "sendNotification",
        .notifications,
        "Send a valid or malformed notification, regardless of what people did",
        body: ControlBody.notification.restricted(by: ControlRules.one(of: "person", "sub")),
        answers: [.created("The created notification.", ControlSchemas.notification.reference)]
    )

    private static let settings = ControlDescription(
        "showNotificationSettings",
        .notifications,
        "Show how notifications are sent",
        answers: [.ok("The settings.", ControlSchemas.notificationSettings.reference)]
    )

    private static let settingsChange = ControlDescription(
        "changeNotificationSettings",
        .notifications,
        "Change how notifications are sent, until a reset",
        body: ControlBody.notificationSettings,
        answers: [.ok("The settings.", ControlSchemas.notificationSettings.reference)]
    )

    private static let mailList = ControlDescription(
        "listMail",
        .mail,
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
        answers: [.ok("Oldest first.", ControlSchemas.mailList.reference)],
        refusals: [.tooManyWaiting]
    )

    private static let mailEnd = ControlDescription(
        "clearMail",
        .mail,
        "Delete mail, replies and bounces",
        answers: [.done("All mail is deleted.")]
    )

    private static let mail = ControlDescription(
        "showMail",
        .mail,
        "Show one delivered or refused message with its headers, text, HTML and attachments",
        answers: [.ok("The message.", ControlSchemas.mail.reference)]
    )

    private static let reply = ControlDescription(
        "replyToMail",
        .mail,
        "Reply to a message as the person, through the relay if it came through it",
        fields: [.required("text", ControlBody.longText)],
        answers: [
            .created(
                "The reply as sent.",
                [.required("id", .integer), .required("state", .text())]
            )
        ],
        refusals: [.conflict]
    )
}

/// The routes that list what happened, and can wait for the next item.
struct ListRoutes {
    let emulator: AppleEmulator

    /// Responds with the items after `after`; when there are none, waits up to `wait` seconds.
    func answer(_ list: WatchedList, to request: ControlRequest) async throws -> ControlAnswer {
        let number = try request.optionalNumber("after", in: 0...ControlRequest.maximumNumber) ?? 0
        let wait = try request.optionalNumber("wait", in: 0...AppleEmulator.maximumWaitSeconds)
        let found = try await emulator.items(of: list, after: number)
        let hasItems = found.members.contains { $0.value.arrayValue?.isEmpty == false }
        guard let wait, wait > 0, !hasItems else { return .found(found) }
        do {
            try await request.whileClientListens { [emulator] in
                try await cancelWhenGracefulShutdown {
                    try await emulator.waitForItem(of: list, after: number, atMost: .seconds(wait))
                }
            }
        } catch is TooManyWatchers {
            throw ControlProblem.tooManyWaiting
        } catch is CancellationError {
            // The server stops, or the client is gone: respond with the items so far.
        }
        return .found(try await emulator.items(of: list, after: number))
    }
}
