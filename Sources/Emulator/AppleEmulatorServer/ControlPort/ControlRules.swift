import AppleEmulator
import AppleIdentity
import OpenAPIDescription

/// The rules of bodies for several members together, in the form of JSON Schema.
enum ControlRules {
    /// Members of which one is required, and the others must be missing.
    static func one(of names: String...) -> JSONObject {
        ["oneOf": .array(names.map { .object(JSONSchema.has($0)) })]
    }

    /// A hidden address is not shared.
    static let choice: JSONObject = [
        "allOf": [
            JSONSchema.not(
                JSONSchema.has("email", ["const": "hide"]),
                and: JSONSchema.has("shared_email")
            )
        ]
    ]

    /// Only a managed account has an organization, and only an account with an address has others.
    static let person: JSONObject = [
        "allOf": [
            JSONSchema.not(
                JSONSchema.has("organization_id"),
                and: ["properties": ["managed": ["enum": [false, .null]]]]
            ),
            JSONSchema.not(
                JSONSchema.has("has_email", ["const": false]),
                and: JSONSchema.has("other_emails", ["minItems": 1])
            ),
        ]
    ]

    private static let endpointsOfAllClients: JSONObject = [
        "enum": ["keys", "discovery", .string(ApplePath.keys), .string(ApplePath.discovery)]
    ]

    /// A fault changes something, a status without a body has none, and keys are the same for all clients.
    static let fault: JSONObject = [
        "anyOf": .array(
            [
                JSONSchema.has("status"), JSONSchema.has("delay_ms"), JSONSchema.has("body"),
                JSONSchema.has("content_type"), JSONSchema.has("headers", ["minProperties": 1]),
                JSONSchema.has("drop", ["const": true]),
            ].map { .object($0) }
        ),
        "allOf": [
            JSONSchema.not(
                JSONSchema.has("body"),
                and: JSONSchema.has(
                    "status",
                    ["enum": .array(ControlBody.statusesWithoutBody.map { .integer($0) })]
                )
            ),
            JSONSchema.not(
                JSONSchema.has("client_id"),
                and: JSONSchema.has("endpoint", endpointsOfAllClients)
            ),
        ],
    ]

    static func registration(of kind: SeedKind) -> JSONObject {
        switch kind {
        case .person: person
        case .mailSource: one(of: "domain", "address")
        case .team, .key, .app, .service: [:]
        }
    }
}
