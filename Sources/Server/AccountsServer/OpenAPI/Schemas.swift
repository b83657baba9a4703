import Accounts
import AppleIdentity
import OpenAPIDescription
import SignInWithApple

/// The schema of a request or a response of this server.
typealias Schema = JSONSchema

extension JSONSchema {
    /// A reference to a shared schema.
    static func named(_ name: Schemas) -> JSONSchema { reference(to: name.rawValue) }

    static func name(_ description: String? = nil) -> JSONSchema {
        text(description, lengths: 1...PersonName.maximumCharacterCount)
    }

    /// A given or family name; an empty one is none.
    static func namePart(_ description: String? = nil) -> JSONSchema {
        text(description, lengths: 0...PersonName.maximumCharacterCount)
    }

    /// A code, or the token of a link.
    static func secret(_ description: String) -> JSONSchema {
        let count = SessionToken.characterCount
        return text(description, lengths: count...count, pattern: "^[A-Za-z0-9_-]*$")
    }

    /// A JSON Web Token that Apple signs.
    static func signedToken(_ description: String) -> JSONSchema {
        text(
            description,
            lengths: 1...RouteLimits.maximumTokenByteCount,
            pattern: #"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$"#
        )
    }

    /// An email address, also one with letters beyond ASCII.
    static func emailAddress(_ description: String? = nil) -> JSONSchema {
        text(description, format: "idn-email", lengths: 1...EmailAddressForm.maximumByteCount)
    }

    /// A username; an email address may be longer than other usernames.
    static func username(_ description: String? = nil) -> JSONSchema {
        let minimumCount = Username.scalarCounts.lowerBound
        return text(description, lengths: minimumCount...Username.maximumAddressByteCount)
    }
}

/// A member of a JSON object that the server writes: its schema and its value.
struct DocumentMember<Record>: Sendable {
    let field: Schema.Field
    let value: @Sendable (Record) -> JSONValue

    init(_ name: String, _ schema: Schema, value: @escaping @Sendable (Record) -> JSONValue) {
        field = .required(name, schema)
        self.value = value
    }
}

extension Array {
    func document<Record>(of record: Record) -> JSONObject where Element == DocumentMember<Record> {
        JSONObject(map { JSONObject.Member(name: $0.field.name, value: $0.value(record)) })
    }

    func schema<Record>() -> Schema where Element == DocumentMember<Record> {
        .object(map(\.field))
    }
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
        case .account: AccountRoutes.members.schema()
        case .appleLink: AccountRoutes.linkMembers.schema()
        case .signIn: Self.signInSchema
        case .session: Self.sessionSchema
        case .export: Self.exportSchema
        case .problem: Self.problemSchema
        }
    }

    private static let signInSchema = Schema.object([
        .required("token", .text("Returned only here: send it as a Bearer token.")),
        .required("expiresAt", .time),
        .required("account", .named(.account)),
    ])

    private static let sessionSchema = Schema.object([
        .required("id", .text()),
        .required("device", .text()),
        .required("current", .flag("Whether this is the session of the request.")),
        .required("signInMethod", .text("The sign-in method: `apple` or `password`.")),
        .required("createdAt", .time),
        .required("signedInAt", .time),
        .required("lastUsedAt", .time),
        .required("expiresAt", .time),
    ])

    private static let exportSchema = Schema.object([
        .required("account", .named(.account)),
        .required("mailForwardingChangedAt", Schema.time.orNull),
        .required("emailSince", Schema.time.orNull),
        .required("passwordSetAt", Schema.time.orNull),
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
                    .required("username", .text().orNull),
                    .required("appleUser", .text().orNull),
                ])
            )
        ),
        .required("waitingMail", .list(of: .time)),
        .required(
            "appleTransfer",
            Schema.object([.required("identifier", .text()), .required("teamId", .text())]).orNull
        ),
        .required("activity", .list(of: activitySchema)),
        .required("activityIsTruncated", .flag("Whether older entries are left out.")),
    ])

    private static let activitySchema = Schema.object([
        .required("at", .time),
        .required("action", .text("A stable identifier, such as sign_in.")),
        .required("actor", .word(AuditActor.allCases.map(\.rawValue))),
        .required("session", .text().orNull),
        .required("address", .text("The IP address of the client.").orNull),
        .required("client", .text("The app or program of the client.").orNull),
        .required("detail", .text().orNull),
    ]).described("The latest audit log entries about the account, newest first.")

    private static let problemSchema = Schema.object([
        .required("type", .text()),
        .required("title", .text()),
        .required("status", .integer),
        .required("detail", .text("A message for the user.")),
        .required("code", .text("A stable error code.")),
        .optional("resumeToken", .text("Send the same request again with this token.")),
        .optional(
            "parameters",
            .object([]).described("The values in the message, such as `minimum` or `seconds`.")
        ),
    ]).described("RFC 9457")
}
