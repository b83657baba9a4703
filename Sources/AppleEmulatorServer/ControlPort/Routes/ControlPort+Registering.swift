import AppleEmulator
import Hummingbird
import OpenAPIDescription

/// The routes that add teams, keys, apps, Services IDs, people and mail sources.
extension ControlPort {
    var registering: [ControlRoute] {
        SeedKind.allCases.map { kind in
            ControlRoute(
                RouterPath(kind.section.replacing("_", with: "-")),
                .post(Self.description(of: kind)) { request in
                    let outcome = try await emulator.add(kind, request.object)
                    return outcome.isNew ? .made(outcome.object) : .found(outcome.object)
                }
            )
        }
    }

    private static func description(of kind: SeedKind) -> ControlDescription {
        let (id, summary) =
            switch kind {
            case .team: ("addTeam", "Add a team of developers")
            case .key:
                (
                    "addKey",
                    "Add a key that signs client secrets; without a public key, a pair is generated"
                )
            case .app: ("addApp", "Add an app")
            case .service: ("addService", "Add a Services ID")
            case .person: ("addPerson", "Add a person with an Apple Account")
            case .mailSource: ("addMailSource", "Add a source of mail to relay addresses")
            }
        return ControlDescription(
            id,
            kind == .person ? .people : .registering,
            summary,
            fields: fields(of: kind),
            answers: [.created("It was added.", .members), .ok("It already existed.", .members)],
            refusals: [.conflict]
        )
    }

    private static func fields(of kind: SeedKind) -> [JSONSchema.Field] {
        let text = JSONSchema.text().orNull
        switch kind {
        case .team:
            return [
                .optional("team_id", text), .optional("name", text),
                .optional("individual", .flag().orNull),
            ]
        case .key:
            return [
                .required("team_id", .text()), .optional("key_id", text),
                .optional("primary_client_id", text), .optional("public_key_pem", text),
            ]
        case .app:
            return [
                .required("client_id", .text()), .required("team_id", .text()),
                .optional("name", text), .optional("primary_client_id", text),
                .optional("notification_url", text),
            ]
        case .service:
            return [
                .required("client_id", .text()), .required("primary_client_id", .text()),
                .optional("name", text),
                .optional("return_urls", JSONSchema.list(of: .text()).orNull),
            ]
        case .person: return personFields
        case .mailSource:
            let words = SeedMailSource.Authentication.allCases.map(\.rawValue)
            return [
                .required("team_id", .text()),
                .optional("domain", text.described("A domain; alternatively, use `address`.")),
                .optional("address", text),
                .optional("authentication", JSONSchema.word(words).orNull),
            ]
        }
    }

    private static var personFields: [JSONSchema.Field] {
        let (text, flag) = (JSONSchema.text().orNull, JSONSchema.flag().orNull)
        return [
            .required("email", .text()), .optional("given_name", text),
            .optional("family_name", text), .optional("password", text),
            .optional("two_factor", flag), .optional("managed", flag),
            .optional("other_emails", JSONSchema.list(of: .text()).orNull),
            .optional("email_verified", flag), .optional("has_email", flag),
            .optional("organization_id", text),
        ]
    }
}
