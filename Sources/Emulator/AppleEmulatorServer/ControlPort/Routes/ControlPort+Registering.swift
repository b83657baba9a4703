import AppleEmulator
import AppleIdentity
import Hummingbird
import OpenAPIDescription

/// The routes that add teams, keys, apps, Services IDs, people and mail sources.
extension ControlPort {
    /// The JSON Schema of a seed, for editors.
    var seedSchema: ControlRoute {
        ControlRoute(
            .get("schema/seed.json", .state),
            "showSeedSchema",
            "Show the JSON Schema of a seed",
            answers: .ok("A schema of draft 2020-12.", .required("$schema", .text()))
        ) { _ in .found(Self.seedDocument) }
    }

    private static let seedDocument: JSONObject = {
        let lists = SeedKind.allCases.map { kind in
            let entry = ControlBody.registration(of: kind)
                .restricted(by: ControlRules.registration(of: kind))
            return JSONSchema.Field.optional(kind.section, .list(of: entry).orNull)
        }
        let fault = ControlBody.fault.restricted(by: ControlRules.fault)
        let seed = JSONSchema.object(
            lists + [
                .optional("faults", .list(of: fault).orNull),
                .optional("notifications", ControlBody.notificationSettings.orNull),
                .optional("switches", ControlBody.switches.orNull),
            ],
            isClosed: true
        )
        let head: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A seed of siwa emulator",
        ]
        return head.merging(seed.json)
    }()

    var registering: [ControlRoute] {
        SeedKind.allCases.map { kind in
            let (id, summary) = Self.words(for: kind)
            return ControlRoute(
                .post(
                    kind.section.replacing("_", with: "-"),
                    kind == .person ? .people : .registering
                ),
                id,
                summary,
                body: ControlBody.registration(of: kind)
                    .restricted(by: ControlRules.registration(of: kind)),
                answers: .created("It was added.", .members),
                .ok("It already existed.", .members),
                refusals: [.conflict]
            ) { request in
                let outcome = try await request.emulator.add(kind, request.object)
                return outcome.isNew ? .made(outcome.object) : .found(outcome.object)
            }
        }
    }

    private static func words(for kind: SeedKind) -> (id: String, summary: String) {
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
    }
}
