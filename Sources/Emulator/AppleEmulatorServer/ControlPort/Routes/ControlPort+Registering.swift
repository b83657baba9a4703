import AppleEmulator
import Hummingbird
import OpenAPIDescription

/// The routes that add teams, keys, apps, Services IDs, people and mail sources.
extension ControlPort {
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
                let outcome = try await emulator.add(kind, request.object)
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
