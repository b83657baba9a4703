import AppleEmulator
import Hummingbird
import OpenAPIDescription

/// The routes that change and remove apps and Services IDs.
extension ControlPort {
    var editing: [ControlRoute] {
        [
            ControlRoute(
                "apps/{client_id}",
                .patch(Self.appChange) {
                    .found(try await emulator.changeApp($0.parameter("client_id"), $0.object))
                },
                .delete(Self.appRemoval) {
                    try await emulator.removeApp($0.parameter("client_id"))
                    return .done
                }
            ),
            ControlRoute(
                "services/{client_id}",
                .patch(Self.serviceChange) {
                    .found(try await emulator.changeService($0.parameter("client_id"), $0.object))
                },
                .delete(Self.serviceRemoval) {
                    try await emulator.removeService($0.parameter("client_id"))
                    return .done
                }
            ),
        ]
    }

    private static let appChange = ControlDescription(
        "changeApp",
        .registering,
        "Change an app; null removes a value",
        body: ControlBody.appChange,
        answers: [.ok("The app.", .members)]
    )

    private static let appRemoval = ControlDescription(
        "removeApp",
        .registering,
        "Remove an app with its consents, tokens and keys, after its Services IDs and grouped apps",
        answers: [.done("Removed.")],
        refusals: [.conflict]
    )

    private static let serviceChange = ControlDescription(
        "changeService",
        .registering,
        "Change a Services ID; null removes a value",
        body: ControlBody.serviceChange,
        answers: [.ok("The Services ID.", .members)]
    )

    private static let serviceRemoval = ControlDescription(
        "removeService",
        .registering,
        "Remove a Services ID with its tokens; the consents of its app stay",
        answers: [.done("Removed.")]
    )
}
