import AppleEmulator
import AppleIdentity
import Hummingbird
import OpenAPIDescription

/// The routes for what people do on their devices and in their settings.
extension ControlPort {
    var people: [ControlRoute] {
        [
            ControlRoute(
                "people/{email}",
                .patch(Self.change) {
                    .found(try await emulator.changePerson($0.email(), $0.object))
                },
                .delete(Self.deletion) {
                    try await emulator.deletePerson($0.email())
                    return .done
                }
            ),
            ControlRoute(
                "people/{email}/device",
                .get(Self.deviceLook) {
                    let clientID = try $0.optionalQuery("client_id")
                    return .found(try await emulator.device(of: $0.email(), clientID: clientID))
                },
                .post(Self.deviceSignIn) {
                    .found(try await emulator.signInToDevice($0.email(), $0.object))
                }
            ),
            ControlRoute(
                "people/{email}/credentials",
                .post(Self.credentials) {
                    .made(try await emulator.credentials(for: $0.email(), $0.object))
                }
            ),
            ControlRoute(
                "people/{email}/credential-state",
                .get(Self.credentialState, tellCredentialState)
            ),
            ControlRoute(
                "people/{email}/stop-using",
                .post(Self.stopping) { .found(try await emulator.stopUsing($0.email(), $0.object)) }
            ),
            ControlRoute(
                "people/{email}/forwarding",
                .post(Self.forwarding) {
                    .found(try await emulator.setForwarding($0.email(), $0.object))
                }
            ),
            ControlRoute(
                "people/{email}/password",
                .post(Self.password) {
                    try await emulator.changePassword(of: $0.email(), $0.object)
                    return .done
                }
            ),
        ]
    }

    // MARK: Operations

    @Sendable
    private func tellCredentialState(_ request: ControlRequest) async throws -> ControlAnswer {
        let state = try await emulator.numberedCredentialState(
            of: request.email(),
            clientID: request.query("client_id"),
            user: request.optionalQuery("user")
        )
        return .found(["state": .string(state.rawValue), "number": .integer(state.number)])
    }

    // MARK: Descriptions

    private static let clientID = JSONSchema.Field.required("client_id", ControlBody.text)
    private static let stateNames = ["authorized", "revoked", "not_found", "transferred"]

    private static let change = ControlDescription(
        "changePerson",
        .people,
        "Change the person's account; null restores a default",
        body: ControlBody.personChange,
        answers: [.ok("The person.", .members)],
        refusals: [.conflict]
    )

    private static let deletion = ControlDescription(
        "deletePerson",
        .people,
        "Delete the person's Apple Account; the apps are notified",
        answers: [.done("Deleted.")]
    )

    private static let deviceLook = ControlDescription(
        "findDevice",
        .people,
        "Show what a device knows about the person signed in to it",
        query: [.optional("client_id", .query("The requesting app."))],
        answers: [.ok("The person, and the apps they use.", ControlSchemas.device.reference)]
    )

    private static let deviceSignIn = ControlDescription(
        "signInToDevice",
        .people,
        "Sign the person in to a device",
        fields: [
            .required("password", ControlBody.text),
            .optional("client_id", ControlBody.text.orNull),
        ],
        answers: [.ok("The person, and the apps they use.", ControlSchemas.device.reference)]
    )

    private static let credentials = ControlDescription(
        "makeCredentials",
        .people,
        "Create the credential that a device gives an app when the person consents",
        body: ControlBody.credentials.restricted(by: ControlRules.choice),
        answers: [
            .created(
                "The credential.",
                .object([
                    .required("user", .text()), .required("identity_token", .text()),
                    .required("authorization_code", .text()),
                    .required("real_user_status", .integer),
                ])
            )
        ]
    )

    private static let credentialState = ControlDescription(
        "findCredentialState",
        .people,
        "Show the credential state that a device reports for the person and an app",
        query: [
            .required("client_id", .query()),
            .optional("user", .query("The user ID that the app has stored.")),
        ],
        answers: [
            .ok(
                "The state.",
                .object([.required("state", .word(stateNames)), .required("number", .integer)])
            )
        ]
    )

    private static let stopping = ControlDescription(
        "stopUsing",
        .people,
        "Stop using Sign in with Apple for an app; tokens are revoked, the app is notified",
        fields: [clientID],
        answers: [
            .ok("The new state.", .object([clientID, .required("state", .word(stateNames))]))
        ]
    )

    private static let forwarding = ControlDescription(
        "setForwarding",
        .people,
        "Turn the forwarding of relayed mail on or off",
        fields: [clientID, .required("enabled", .flag())],
        answers: [.ok("The new setting.", .object([clientID, .required("enabled", .flag())]))]
    )

    private static let password = ControlDescription(
        "changePassword",
        .people,
        "Change the password: browsers are signed out, refresh tokens are revoked",
        fields: [
            .required("password", ControlBody.text),
            .optional("keep_tokens", JSONSchema.flag().orNull),
        ],
        answers: [.done("Changed.")]
    )
}
