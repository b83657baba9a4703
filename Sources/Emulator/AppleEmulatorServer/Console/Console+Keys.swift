import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation

/// The page of client secret keys and of Apple's signing keys.
extension Console {
    private static let maximumKeyCount = 200

    var keyRoutes: [ConsoleRoute] {
        [
            ConsoleRoute("console/keys", .keys, page: keys, action: addKey),
            ConsoleRoute("console/keys/rotate", .keys, page: keys) { visit in
                _ = try await visit.emulator.rotateSigningKeys(visit.object(of: Self.rotateForm))
                return .done(.rotated, at: ConsoleSection.keys.path)
            },
        ]
    }

    private static let rotateForm = ConsoleForm(
        "rotate",
        to: "/console/keys/rotate",
        "Rotate the keys",
        .primary
    )
    .asking([
        ConsoleField("keep_old", "Keep publishing the old keys", .check, value: "true")
            .hint("As Apple does. Otherwise, tokens signed earlier can no longer be verified.")
    ])

    private static func keyForm(_ registry: JSONObject) -> ConsoleForm {
        ConsoleForm("key", to: ConsoleSection.keys.path, "Add the key", .primary)
            .asking([
                choice("team_id", "Team", among: registry.objects("teams"), by: "team_id"),
                ConsoleField("key_id", "Key ID", maximumCount: 10)
                    .hint("Ten capital letters or digits; if empty, one is generated."),
                choice(
                    "primary_client_id",
                    "For the group of",
                    among: primaries(in: registry),
                    by: "client_id",
                    none: "every app of the team"
                ),
                ConsoleField("public_key_pem", "Public key (PEM)", .area)
                    .hint("If empty, a key pair is generated and its private key is shown once."),
            ])
    }

    @Sendable private func keys(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let registry = await visit.emulator.consoleRegistry()
        let signing = await visit.emulator.consoleSigningKeys()
        return ConsolePage(
            .keys,
            template: "console-keys",
            content: [
                "current": signing["current"] ?? [], "retained": signing["retained"] ?? [],
                "rotate": visit.content(of: Self.rotateForm),
                "keys": .list(registry.objects("keys").prefix(Self.maximumKeyCount)),
                "has_teams": .boolean(!registry.objects("teams").isEmpty),
                "new": .object(Self.opened(Self.keyForm(registry), "Add a key", visit)),
            ]
        )
    }

    /// Adds a key; a generated private key is shown in this response only.
    @Sendable private func addKey(_ visit: ConsoleVisit) async throws -> ConsoleOutcome {
        let outcome = try await visit.emulator.add(
            .key,
            visit.object(of: Self.keyForm(JSONObject()))
        )
        guard outcome.isNew, let pem = outcome.object["private_key_pem"]?.stringValue else {
            return .done(.keyAdded, at: ConsoleSection.keys.path)
        }
        let page = ConsolePage(
            .keys,
            title: "A new key",
            template: "console-key-made",
            content: outcome.object.merging([
                "private_key_base64": .string(Data(pem.utf8).base64EncodedString())
            ])
        )
        return .shown(page, .keyAdded)
    }
}
