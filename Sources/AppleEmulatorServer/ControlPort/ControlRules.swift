import AppleEmulator
import AppleIdentity
import OpenAPIDescription

/// The rules of bodies for several members together, in the form of JSON Schema.
enum ControlRules {
    /// Members of which one is required, and the others must be missing.
    static func one(of names: String...) -> JSONObject {
        ["oneOf": .array(names.map { JSONSchema.has($0) })]
    }

    /// A hidden address is not shared.
    static let choice: JSONObject = [
        "not": [
            "allOf": [JSONSchema.has("email", ["const": "hide"]), JSONSchema.has("shared_email")]
        ]
    ]

    /// Only a managed account has an organization, and only an account with an address has others.
    static let person: JSONObject = [
        "not": [
            "anyOf": [
                [
                    "allOf": [
                        JSONSchema.has("organization_id"),
                        ["not": JSONSchema.has("managed", ["const": true])],
                    ]
                ],
                [
                    "allOf": [
                        JSONSchema.has("has_email", ["const": false]),
                        JSONSchema.has("other_emails", ["minItems": 1]),
                    ]
                ],
            ]
        ]
    ]

    /// A fault changes something, and a status without a body has none.
    static let fault: JSONObject = [
        "anyOf": [
            JSONSchema.has("status"), JSONSchema.has("delay_ms"), JSONSchema.has("body"),
            JSONSchema.has("content_type"), JSONSchema.has("headers", ["minProperties": 1]),
            JSONSchema.has("drop", ["const": true]),
        ],
        "not": [
            "allOf": [
                JSONSchema.has("body"),
                JSONSchema.has(
                    "status",
                    ["enum": .array(ControlBody.statusesWithoutBody.map { .integer($0) })]
                ),
            ]
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
