import AppleEmulator
import AppleIdentity
import HTTPTypes
import Hummingbird
import OpenAPIDescription
import ServiceLifecycle

/// What happened: requests, notifications and mail.
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
                .post(Self.notification) {
                    .made(try await emulator.sendNotification($0.object))
                }
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

    // MARK: How they are described

    private static let reset = ControlDescription(
        "reset",
        .state,
        "Go back to the seed",
        fields: [],
        answers: [.ok("The state.", ControlSchemas.state.reference)]
    )

    private static let health = ControlDescription(
        "showHealth",
        .state,
        "Whether every port answers",
        answers: [
            .ok("Every port does.", .object([.required("status", .word(["ok"]))], isClosed: true))
        ],
        refusals: [.starting]
    )

    private static let whereabouts = ControlDescription(
        "showAddresses",
        .state,
        "Where the emulator listens",
        answers: [
            .ok(
                "The addresses, as the line of `--json` has them.",
                .object([
                    .required("apple", .text("The base of Apple's endpoints.")),
                    .required("control", .text("This port.")),
                    .optional("smtp", .text("The mail relay, as host and port.")),
                    .optional("tls", .text("Apple's port over TLS, as host and port.")),
                    .optional("ca", .text("The certificate that clients of it have to trust.")),
                ])
            )
        ],
        refusals: [.starting]
    )

    private static let state = ControlDescription(
        "showState",
        .state,
        "Everything that is registered, with private keys",
        answers: [.ok("The state.", ControlSchemas.state.reference)]
    )

    private static let requests = ControlDescription(
        "listRequests",
        .signIns,
        "The last requests to Apple's port, each refusal with its reason",
        query: [.after, .wait],
        answers: [
            .ok(
                "Oldest first.",
                ControlSchemas.list("requests", of: ControlSchemas.request.reference)
            )
        ],
        refusals: [.tooManyWaiting]
    )

    private static let notifications = ControlDescription(
        "listNotifications",
        .notifications,
        "The notifications, each with the receiver's answers",
        query: [.after, .wait],
        answers: [
            .ok(
                "Oldest first.",
                ControlSchemas.list("notifications", of: ControlSchemas.notification.reference)
            )
        ],
        refusals: [.tooManyWaiting]
    )

    private static let notification = ControlDescription(
        "sendNotification",
        .notifications,
        "Send a notification, right or malformed, whatever people did",
        fields: [
            .required("type", .text()), .required("client_id", .text()),
            .optional("person", JSONSchema.text("Or else `sub`.").orNull),
            .optional("sub", JSONSchema.text().orNull),
            .optional("email", JSONSchema.text().orNull),
            .optional("malformed", JSONSchema.word(AppleEmulator.notificationDefects).orNull),
            .optional(
                "duplicates",
                JSONSchema.integer(in: 0...NotificationSettings.maximumDuplicateCount).orNull
            ),
            .optional(
                "delay_seconds",
                JSONSchema.integer(in: 0...NotificationSettings.maximumDelaySeconds).orNull
            ),
        ],
        answers: [.created("As it was made.", ControlSchemas.notification.reference)]
    )

    private static let settings = ControlDescription(
        "showNotificationSettings",
        .notifications,
        "How notifications are sent",
        answers: [.ok("The settings.", ControlSchemas.notificationSettings.reference)]
    )

    private static let settingsChange = ControlDescription(
        "changeNotificationSettings",
        .notifications,
        "Change how notifications are sent, until a reset",
        fields: [
            .optional("account_deletion", JSONSchema.text().orNull),
            .optional(
                "retry_after_seconds",
                JSONSchema.list(
                    of: .integer(in: 0...NotificationSettings.maximumDelaySeconds),
                    maximumCount: NotificationSettings.maximumRetryCount
                ).orNull
            ),
            .optional(
                "duplicates",
                JSONSchema.integer(in: 0...NotificationSettings.maximumDuplicateCount).orNull
            ),
            .optional(
                "delay_seconds",
                JSONSchema.integer(in: 0...NotificationSettings.maximumDelaySeconds).orNull
            ),
            .optional("on_revocation", JSONSchema.flag().orNull),
        ],
        answers: [.ok("The settings.", ControlSchemas.notificationSettings.reference)]
    )

    private static let mailList = ControlDescription(
        "listMail",
        .mail,
        "Everybody's inbox, the replies, and the mail that was refused",
        query: [.optional("person", .text("The address of one person.")), .after, .wait],
        answers: [.ok("Oldest first.", ControlSchemas.mailList.reference)],
        refusals: [.notFound, .tooManyWaiting]
    )

    private static let mailEnd = ControlDescription(
        "clearMail",
        .mail,
        "Forget mail, replies and bounces",
        answers: [.done("There is none.")]
    )

    private static let mail = ControlDescription(
        "showMail",
        .mail,
        "One mail with its headers, text, page and attachments",
        answers: [.ok("The mail.", ControlSchemas.mail.reference)]
    )

    private static let reply = ControlDescription(
        "replyToMail",
        .mail,
        "The person answers a mail, through the relay when it came through it",
        fields: [.required("text", .text())],
        answers: [
            .created(
                "The answer as it left.",
                .object([.required("id", .integer), .required("state", .text())])
            )
        ],
        refusals: [.conflict]
    )
}

/// The routes that list what happened, and can wait until something does.
struct ListRoutes {
    let emulator: AppleEmulator

    /// Answers the items of a list behind `after`; when there are none, waits for `wait` seconds.
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
            // The server ends, or nobody listens any more: what is there is answered.
        }
        return .found(try await emulator.items(of: list, after: number))
    }
}
