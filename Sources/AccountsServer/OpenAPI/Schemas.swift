import Accounts
import OpenAPIDescription

/// The schema of what is read and answered here.
typealias Schema = JSONSchema

extension JSONSchema {
    /// One that operations share.
    static func named(_ name: Schemas) -> JSONSchema { reference(to: name.rawValue) }
}

/// The schemas that operations share.
enum Schemas: String, CaseIterable, Sendable {
    case account = "Account"
    case appleLink = "AppleLink"
    case signIn = "SignIn"
    case session = "Session"
    case export = "Export"
    case problem = "Problem"

    var schema: Schema {
        switch self {
        case .account: Self.accountSchema
        case .appleLink: Self.appleLinkSchema
        case .signIn: Self.signInSchema
        case .session: Self.sessionSchema
        case .export: Self.exportSchema
        case .problem: Self.problemSchema
        }
    }

    private static let accountSchema = Schema.object([
        .required("id", .text()),
        .required("name", .text("In one line, to be shown; Apple tells it once.").orNull),
        .required("givenName", .text("Null when the name was written whole.").orNull),
        .required("familyName", .text("Null when the name was written whole.").orNull),
        .required("email", .text().orNull),
        .required(
            "pendingEmail",
            .text("Waits to be confirmed by the link of a mail; stays when that has expired.")
                .orNull
        ),
        .required("emailIsVerified", .flag()),
        .required("emailIsPrivateRelay", .flag("Whether Apple forwards the mail.")),
        .required("emailDeliverable", .flag("Whether mail is expected to arrive.")),
        .required("username", .text("Null without a password.").orNull),
        .required("apple", Schema.named(.appleLink).orNull),
        .required(
            "appleLinkRemains",
            .flag(
                "Whether a deletion cannot end the link at Apple: no token of the person is kept."
            )
        ),
        .required("createdAt", .time),
    ])

    private static let appleLinkSchema = Schema.object([
        .required("user", .text("Apple's identifier of the person, for one team.")),
        .required("clientId", .text()),
        .required("linkedAt", .time),
        .required("revokedAt", Schema.time.orNull),
    ])

    private static let signInSchema = Schema.object([
        .required("token", .text("Told this once: send it as a Bearer token.")),
        .required("expiresAt", .time),
        .required("account", .named(.account)),
    ])

    private static let sessionSchema = Schema.object([
        .required("id", .text()),
        .required("device", .text()),
        .required("current", .flag("Whether it is the one that asks.")),
        .required("signInMethod", .text("The way in that opened it: `apple` or `password`.")),
        .required("createdAt", .time),
        .required("signedInAt", .time),
        .required("lastUsedAt", .time),
        .required("expiresAt", .time),
    ])

    private static let exportSchema = Schema.object([
        .required("account", .named(.account)),
        .required("mailForwardingChangedAt", Schema.time.orNull),
        .required("passwordChangedAt", Schema.time.orNull),
        .required("sessions", .list(of: .named(.session))),
        .required(
            "appleRefreshTokens",
            .list(of: .object([.required("clientId", .text()), .required("receivedAt", .time)]))
        ),
        .required(
            "mailLinks",
            .list(
                of: .object([
                    .required("purpose", .text()), .required("address", .text()),
                    .required("expiresAt", .time),
                ])
            )
        ),
        .required("waitingMail", .list(of: .time)),
        .required("activity", .list(of: activitySchema)),
    ])

    private static let activitySchema = Schema.object([
        .required("at", .time),
        .required("action", .text("A stable word, such as sign_in.")),
        .required("actor", .word(AuditActor.allCases.map(\.rawValue))),
        .required("session", .text().orNull),
        .required("address", .text("The network address that asked.").orNull),
        .required("client", .text("The app or program that asked.").orNull),
        .required("detail", .text().orNull),
    ]).described("The latest entries of the audit log about the account, the latest first.")

    private static let problemSchema = Schema.object([
        .required("type", .text()),
        .required("title", .text()),
        .required("status", .integer),
        .required("detail", .text("A sentence that may be shown to the person.")),
        .required("code", .text("A stable word for programs.")),
        .optional("resumeToken", .text("Send the same request once more with it.")),
    ]).described("RFC 9457")
}
