import AppleEmulator
import Hummingbird
import OpenAPIDescription

/// The routes that change and remove apps and Services IDs.
extension ControlPort {
    var editing: [ControlRoute] {
        [
            ControlRoute(
                .patch("apps/{client_id}", .registering),
                "changeApp",
                "Change an app; null removes a value",
                body: ControlBody.appChange,
                answers: .ok("The app.", .members)
            ) { .found(try await emulator.changeApp($0.parameter("client_id"), $0.object)) },
            ControlRoute(
                .delete("apps/{client_id}", .registering),
                "removeApp",
                "Remove an app with its consents, tokens and keys, after its Services IDs and grouped apps",
                answers: .done("Removed."),
                refusals: [.conflict]
            ) {
                try await emulator.removeApp($0.parameter("client_id"))
                return .done
            },
            ControlRoute(
                .patch("services/{client_id}", .registering),
                "changeService",
                "Change a Services ID; null removes a value",
                body: ControlBody.serviceChange,
                answers: .ok("The Services ID.", .members)
            ) { .found(try await emulator.changeService($0.parameter("client_id"), $0.object)) },
            ControlRoute(
                .delete("services/{client_id}", .registering),
                "removeService",
                "Remove a Services ID with its tokens; the consents of its app stay",
                answers: .done("Removed.")
            ) {
                try await emulator.removeService($0.parameter("client_id"))
                return .done
            },
        ]
    }
}
