import AppleEmulator
import AppleIdentity
import Hummingbird
import OpenAPIDescription

/// The routes for what people do on their devices and in their settings.
extension ControlPort {
    var people: [ControlRoute] {
        [
            ControlRoute(
                .get("people/{email}", .people),
                "showPerson",
                "Show a person with the identities for teams and the consents",
                answers: .ok("The person.", .members)
            ) { .found(try await $0.emulator.consolePerson($0.email())) },
            ControlRoute(
                .patch("people/{email}", .people),
                "changePerson",
                "Change the person's account; null restores a default",
                body: ControlBody.personChange,
                answers: .ok("The person.", .members),
                refusals: [.conflict]
            ) { .found(try await $0.emulator.changePerson($0.email(), $0.object)) },
            ControlRoute(
                .delete("people/{email}", .people),
                "deletePerson",
                "Delete the person's Apple Account; the apps are notified",
                done: "Deleted."
            ) { try await $0.emulator.deletePerson($0.email()) },
            ControlRoute(
                .get("people/{email}/device", .people),
                "findDevice",
                "Show what a device knows about the person signed in to it",
                query: [.optional("client_id", .query("The requesting app."))],
                answers: .ok("The person, and the apps they use.", ControlSchemas.device.reference)
            ) {
                let clientID = try $0.optionalQuery("client_id")
                return .found(try await $0.emulator.device(of: $0.email(), clientID: clientID))
            },
            ControlRoute(
                .post("people/{email}/device", .people),
                "signInToDevice",
                "Sign the person in to a device",
                fields: [
                    .required("password", ControlBody.text),
                    .optional("client_id", ControlBody.text.orNull),
                ],
                answers: .ok("The person, and the apps they use.", ControlSchemas.device.reference)
            ) { .found(try await $0.emulator.signInToDevice($0.email(), $0.object)) },
            ControlRoute(
                .post("people/{email}/credentials", .people),
                "makeCredentials",
                "Create the credential that a device gives an app when the person consents",
                body: ControlBody.credentials.restricted(by: ControlRules.choice),
                answers: .created(
                    "The credential.",
                    .required("user", .text()),
                    .required("identity_token", .text()),
                    .required("authorization_code", .text()),
                    .required("real_user_status", .integer)
                )
            ) { .made(try await $0.emulator.credentials(for: $0.email(), $0.object)) },
            ControlRoute(
                .get("people/{email}/credential-state", .people),
                "findCredentialState",
                "Show the credential state that a device reports for the person and an app",
                query: [
                    .required("client_id", .query()),
                    .optional("user", .query("The user ID that the app has stored.")),
                ],
                answers: .ok(
                    "The state.",
                    .required("state", .word(Self.stateNames)),
                    .required("number", .integer)
                ),
                perform: tellCredentialState
            ),
            ControlRoute(
                .post("people/{email}/stop-using", .people),
                "stopUsing",
                "Stop using Sign in with Apple for an app; tokens are revoked, the app is notified",
                fields: [Self.clientID],
                answers: .ok(
                    "The new state.",
                    Self.clientID,
                    .required("state", .word(Self.stateNames))
                )
            ) { .found(try await $0.emulator.stopUsing($0.email(), $0.object)) },
            ControlRoute(
                .post("people/{email}/forwarding", .people),
                "setForwarding",
                "Turn the forwarding of relayed mail on or off",
                fields: [Self.clientID, .required("enabled", .flag())],
                answers: .ok("The new setting.", Self.clientID, .required("enabled", .flag()))
            ) { .found(try await $0.emulator.setForwarding($0.email(), $0.object)) },
            ControlRoute(
                .post("people/{email}/password", .people),
                "changePassword",
                "Change the password: browsers are signed out, refresh tokens are revoked",
                fields: [
                    .required("password", ControlBody.text),
                    .optional("keep_tokens", JSONSchema.flag().orNull),
                ],
                done: "Changed."
            ) { try await $0.emulator.changePassword(of: $0.email(), $0.object) },
        ]
    }

    @Sendable
    private func tellCredentialState(_ request: ControlRequest) async throws -> ControlAnswer {
        let state = try await request.emulator.numberedCredentialState(
            of: request.email(),
            clientID: request.query("client_id"),
            user: request.optionalQuery("user")
        )
        return .found(["state": .string(state.rawValue), "number": .integer(state.number)])
    }

    private static let clientID = JSONSchema.Field.required("client_id", ControlBody.text)
    private static let stateNames = ["authorized", "revoked", "not_found", "transferred"]
}
