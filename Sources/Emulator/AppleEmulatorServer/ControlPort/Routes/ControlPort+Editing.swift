import AppleEmulator
import Hummingbird
import OpenAPIDescription

/// The routes that show, change and remove what is registered.
extension ControlPort {
    var editing: [ControlRoute] {
        [
            ControlRoute(
                .get("apps/{client_id}", .registering),
                "showApp",
                "Show an app",
                answers: .ok("The app.", .members)
            ) { .found(try await $0.emulator.app($0.parameter("client_id"))) },
            ControlRoute(
                .patch("apps/{client_id}", .registering),
                "changeApp",
                "Change an app; null removes a value",
                body: ControlBody.appChange,
                answers: .ok("The app.", .members)
            ) { .found(try await $0.emulator.changeApp($0.parameter("client_id"), $0.object)) },
            ControlRoute(
                .delete("apps/{client_id}", .registering),
                "removeApp",
                "Remove an app with its consents, tokens and keys, after its Services IDs and grouped apps",
                done: "Removed.",
                refusals: [.conflict]
            ) { try await $0.emulator.removeApp($0.parameter("client_id")) },
            ControlRoute(
                .patch("services/{client_id}", .registering),
                "changeService",
                "Change a Services ID; null removes a value",
                body: ControlBody.serviceChange,
                answers: .ok("The Services ID.", .members)
            ) { .found(try await $0.emulator.changeService($0.parameter("client_id"), $0.object)) },
            ControlRoute(
                .delete("services/{client_id}", .registering),
                "removeService",
                "Remove a Services ID with its tokens; the consents of its app stay",
                done: "Removed."
            ) { try await $0.emulator.removeService($0.parameter("client_id")) },
            ControlRoute(
                .delete("keys/{key_id}", .registering),
                "removeKey",
                "Remove a key, as if it were revoked: client secrets of it are refused",
                done: "Removed."
            ) { try await $0.emulator.removeKey($0.parameter("key_id")) },
            ControlRoute(
                .delete("teams/{team_id}", .registering),
                "removeTeam",
                "Remove a team with its keys, mail sources and identities, after its apps",
                done: "Removed.",
                refusals: [.conflict]
            ) { try await $0.emulator.removeTeam($0.parameter("team_id")) },
            ControlRoute(
                .delete("mail-sources/{id}", .registering),
                "removeMailSource",
                "Remove a domain or address as a source of mail, for one team or for all",
                query: [.optional("team_id", .query("The only team."))],
                done: "Removed."
            ) {
                let teamID = try $0.optionalQuery("team_id")
                try await $0.emulator.removeMailSource($0.parameter("id"), teamID: teamID)
            },
        ]
    }
}
