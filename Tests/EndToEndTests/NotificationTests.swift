import AppleIdentity
import Foundation
import TestSupport
import Testing

/// Changes in the settings of an Apple Account, which Apple reports to the accounts server.
@Suite("Notifications over HTTP", .serialized) struct NotificationTests {
    private static let email = "noah@example.com"

    @Test("After the user stops using the app, the session ends; a new sign-in opens the account")
    func stopUsing() async throws {
        try await withSignedIn { siwa, session, account in
            let control = ControlPort(siwa)
            try await control.stopUsing(Self.email)
            try await waitForEnd(of: session)
            _ = try await waitUntil("Apple should get a response") {
                let states = try await control.notificationStates(of: "consent-revoked")
                return states == ["delivered"] ? true : nil
            }
            let back = try await signIn(siwa)
            #expect(back.account["id"] == account["id"])
            #expect(back.account["name"] == account["name"])
        }
    }

    @Test("The email address shows whether forwarding is off or on again")
    func forwarding() async throws {
        try await withSignedIn { siwa, session, _ in
            for isEnabled in [false, true] {
                try await ControlPort(siwa).setForwarding(Self.email, isEnabled)
                _ = try await waitUntil("emailDeliverable should be \(isEnabled)") {
                    let account = try await session.require("GET", "/api/account")
                    return account["emailDeliverable"] == .boolean(isEnabled) ? true : nil
                }
            }
        }
    }

    @Test("A deleted Apple Account deletes the account") func deletion() async throws {
        try await withSignedIn { siwa, session, _ in
            try await ControlPort(siwa).deletePerson(Self.email)
            try await waitForEnd(of: session)
            let statuses = try await ControlPort(siwa).statuses(ofRequestsTo: "/auth/revoke")
            #expect(statuses.isEmpty)
        }
    }

    @Test("A forged notification is refused, and ends nothing") func forged() async throws {
        try await withSignedIn { siwa, session, _ in
            let control = ControlPort(siwa)
            try await control.sendNotification([
                "type": "consent-revoked", "client_id": .string(ControlPort.clientID),
                "person": .string(Self.email), "malformed": "bad_signature",
            ])
            let status = try await waitUntil("Apple should get a response") {
                try await control.notificationAnswers(of: "consent-revoked").first
            }
            #expect(status == 400)
            #expect(try await session.send("GET", "/api/account").status == 200)
        }
    }

    private func withSignedIn(
        _ body: (SiwaProcess, HTTPCaller, JSONObject) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            try await SiwaProcess.with(data: folder) { siwa in
                let signedIn = try await signIn(siwa)
                try await body(siwa, signedIn.session, signedIn.account)
            }
        }
    }

    private func signIn(
        _ siwa: SiwaProcess
    ) async throws -> (session: HTTPCaller, account: JSONObject) {
        let device = try await ControlPort(siwa)
            .credentials(for: Self.email, givenName: "Noah", hidesEmail: true)
        var session = HTTPCaller(base: siwa.serverForPrograms)
        let receipt = try await session.signIn(device)
        return (session, try #require(receipt["account"]?.objectValue))
    }

    private func waitForEnd(of session: HTTPCaller) async throws {
        _ = try await waitUntil("the session should end") {
            try await session.send("GET", "/api/account").status == 401 ? true : nil
        }
    }
}
