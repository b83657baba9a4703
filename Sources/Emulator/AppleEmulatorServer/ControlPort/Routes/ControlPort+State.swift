import AppleEmulator
import Foundation
import HTTPTypes
import OpenAPIDescription

/// The routes that export and import the whole state.
extension ControlPort {
    var stateRoutes: [ControlRoute] {
        [
            ControlRoute(
                .get("export", .state),
                "exportState",
                "Export the whole state, including passwords and private keys",
                answers: .ok("A state document for `POST /import`.", ControlBody.state)
            ) { .document(await $0.emulator.exported()) },
            ControlRoute(
                .post("import", .state),
                "importState",
                "Replace the state with an exported one",
                body: ControlBody.state,
                answers: .ok("The state.", ControlSchemas.state.reference),
                refusals: [.notFound, .conflict],
                readsObject: false
            ) {
                try await $0.emulator.importState(try await Self.state(of: $0))
                return .found(await $0.emulator.state())
            },
        ]
    }

    private static func state(of request: ControlRequest) async throws -> Data {
        let maximumByteCount = AppleEmulator.maximumStateByteCount
        let tooLarge = ControlProblem(
            status: .contentTooLarge,
            code: "too_large",
            message: "The state is larger than \(maximumByteCount) bytes."
        )
        return try await request.document(upTo: maximumByteCount, else: tooLarge)
    }
}
