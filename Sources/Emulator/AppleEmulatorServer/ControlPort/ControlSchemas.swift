import AppleEmulator
import OpenAPIDescription

/// The schemas that operations of the control port share.
enum ControlSchemas: String, CaseIterable {
    case problem = "Problem"
    case state = "State"
    case request = "Request"
    case notification = "Notification"
    case notificationSettings = "NotificationSettings"
    case mail = "Mail"
    case mailList = "MailList"
    case device = "Device"
    case fault = "Fault"
    case switches = "Switches"
    case flow = "Flow"

    var reference: JSONSchema { .reference(to: rawValue) }

    var schema: JSONSchema {
        switch self {
        case .problem: Self.problemSchema
        case .state: Self.stateSchema
        case .request: Self.requestSchema
        case .notification: Self.notificationSchema
        case .notificationSettings: Self.notificationSettingsSchema
        case .mail: Self.mailSchema
        case .mailList: Self.mailListSchema
        case .device: Self.deviceSchema
        case .fault: .object([.required("id", .integer), .required("endpoint", .text())])
        case .switches: .members.described("Every switch with its value, as in the reference.")
        case .flow: .object([.required("id", .text())])
        }
    }

    /// A list under its name, with the highest number assigned so far.
    static func list(_ name: String, of item: ControlSchemas) -> JSONSchema {
        .object([.required(name, .list(of: item.reference)), .required("last_number", number)])
    }

    private static let number = JSONSchema.integer.described(
        "Increases with each item. Pass it as `after` to get the later items."
    )

    private static let problemSchema = JSONSchema.object([
        .required("type", .text()),
        .required("title", .text()),
        .required("status", .integer),
        .required("detail", .text("An explanation of the error.")),
        .required("code", .text("A stable code for programs.")),
        .optional("field", .text("The invalid field.")),
    ]).described("RFC 9457")

    private static let stateSchema = JSONSchema.object(
        ["teams", "keys", "apps", "services", "people", "mail_sources", "faults"].map {
            .required($0, .list(of: .members))
        } + [
            .required("issuer", .text()), .required("now", .time),
            .required("switches", Self.switches.reference),
        ]
    )

    private static let requestSchema = JSONSchema.object([
        .required("number", number),
        .required("time", .time),
        .required("method", .text()),
        .required("path", .text()),
        .required("status", JSONSchema.integer.orNull.described("Null without a response.")),
        .optional("client_id", .text()),
        .optional("error", .text()),
        .optional("reason", .text("Why Apple refuses the request.")),
        .optional("hint", .text("A likely fix, or a note.")),
        .optional("flow", .text("The ID of the request's sign-in, as in `/flows/{id}`.")),
    ])

    private static let notificationSchema = JSONSchema.object([
        .required("number", number),
        .required("time", .time),
        .required("type", .text()),
        .required("client_id", .text()),
        .required("sub", .text()),
        .required("state", .word(["pending", "delivered", "given_up", "not_sent"])),
        .required("attempts", .list(of: .members)),
    ])

    private static let notificationSettingsSchema = JSONSchema.object([
        .required("account_deletion", .text()),
        .required("retry_after_seconds", .list(of: .integer)),
        .required("duplicates", .integer),
        .required("delay_seconds", .integer),
        .required("on_revocation", .flag()),
    ])

    private static let mailSchema = JSONSchema.object([
        .required("id", .integer),
        .required("number", number),
        .required("time", .time),
        .required("byte_count", .integer),
        .optional("person", .text("The person with the address; missing if no person has it.")),
        .optional("delivered_to", .text("Where it was delivered; missing if it was refused.")),
        .optional("is_read", .flag("Whether the console has shown the message.")),
        .optional("smtp", .text("The refusal, as the SMTP client received it.")),
        .optional("reason", .text("The reason why the relay refused it.")),
        .optional("hint", .text("A likely fix.")),
    ])

    private static let mailListSchema = JSONSchema.object([
        .required("messages", .list(of: Self.mail.reference)),
        .required("sent", .list(of: .members)),
        .required("bounces", .list(of: Self.mail.reference)),
        .required("last_number", number),
    ])

    private static let deviceSchema = JSONSchema.object([
        .required("email", .text()),
        .required("addresses", .list(of: .text())),
        .required("two_factor", .flag()),
        .required("managed", .flag()),
        .required("apps", .list(of: .members)),
    ])
}

extension JSONSchema {
    /// A string in a path or a query, which is never empty.
    static func query(_ description: String? = nil, format: String? = nil) -> JSONSchema {
        text(description, format: format).restricted(by: ["minLength": 1])
    }
}

extension JSONSchema.Field {
    /// The number of the last item that a caller has seen.
    static let after = optional(
        "after",
        .integer("Only items with a higher number.", in: 0...ControlRequest.maximumNumber)
    )
    /// How long a caller waits for an item, in seconds.
    static let wait = optional(
        "wait",
        .integer(
            "The seconds to wait for an item if there is none yet.",
            in: 0...AppleEmulator.maximumWaitSeconds
        )
    )
}
