import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

// Fidelity: device-1
@Suite("An emulator for tests") struct LibraryTests {
    @Test("The web flow goes from the page to the grant") func web() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let url = signIn.authorizationURL(
                clientID: "com.example.juice.web",
                redirectURI: Box.callback,
                scopes: [.name, .email],
                state: "state",
                nonce: "nonce"
            )
            let callback = try await apple.authorize(url, hidesEmail: true)
            #expect(callback["state"] == "state")
            let grant = try await signIn.exchange(
                code: callback["code"] ?? "",
                clientID: "com.example.juice.web",
                redirectURI: Box.callback
            )
            #expect(grant.identity.isPrivateEmail)
            let refreshToken = try #require(grant.refreshToken)
            _ = try await signIn.refresh(refreshToken, clientID: "com.example.juice.web")
            try await signIn.revoke(refreshToken, clientID: "com.example.juice.web")
            await #expect(throws: SignInError.self) {
                try await signIn.refresh(refreshToken, clientID: "com.example.juice.web")
            }
        }
    }

    @Test("A decision that Apple's refusal left unused does not wait for the next sign-in")
    func withdrawnDecision() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            func url(_ redirectURI: String) -> URL {
                signIn.authorizationURL(
                    clientID: "com.example.juice.web",
                    redirectURI: redirectURI,
                    scopes: [.email],
                    state: "state",
                    nonce: "nonce"
                )
            }
            await #expect(throws: TestAppleError.self) {
                try await apple.authorize(url("https://other.example.com/"), isContinuing: false)
            }
            #expect(await apple.emulator.state()["authorizations_next"] == [])
            #expect(try await apple.authorize(url(Box.callback))["code"] != nil)
        }
    }

    @Test("A redirect is read from its query or its fragment", arguments: ["query", "fragment"])
    func redirect(mode: String) async throws {
        try await withAppleEmulator { apple in
            var components = URLComponents(string: "https://appleid.apple.com/auth/authorize")
            components?.queryItems = [
                URLQueryItem(name: "client_id", value: Box.web),
                URLQueryItem(name: "redirect_uri", value: Box.callback),
                URLQueryItem(name: "response_type", value: "code"),
                URLQueryItem(name: "response_mode", value: mode),
                URLQueryItem(name: "state", value: "a b&c"),
            ]
            let callback = try await apple.authorize(try #require(components?.url))
            #expect(callback.fields.map(\.name) == ["state", "code"])
            #expect(callback["state"] == "a b&c")
        }
    }

    @Test("A device's token is verified") func native() async throws {
        try await withAppleEmulator { apple in
            let credential = try await apple.credentials(nonce: "raw")
            #expect(credential.fullName?.givenName == "Maya")
            let identity = try await apple.signIn().verify(
                credential.identityToken,
                expecting: IdentityTokenExpectation(
                    nonce: .raw("raw"),
                    authorizationCode: credential.authorizationCode
                )
            )
            #expect(identity.userID == credential.user)
            #expect(identity.realUserStatus == .likelyReal)
        }
    }

    @Test("A fault, switches, new keys and a transfer are what the control port makes of them")
    func operations() async throws {
        try await withAppleEmulator { apple in
            try await apple.addFault(#"{"endpoint": "token", "status": 503}"#)
            #expect(await apple.emulator.faults().first?["status"] == 503)
            try await apple.changeSwitches(#"{"token_type": "bearer"}"#)
            #expect(await apple.emulator.switches()["token_type"] == "bearer")
            let keys = await apple.emulator.state()["signing_keys"]
            try await apple.rotateSigningKeys()
            #expect(await apple.emulator.state()["signing_keys"] != keys)
            await #expect(throws: ControlRefusal.self) {
                try await apple.transfer("com.example.juice", to: "NOBODYSTEAM")
            }
        }
    }

    @Test("Mail and requests are JSON") func reading() async throws {
        try await withAppleEmulator { apple in
            let content = Data("Subject: Hi\r\n\r\nHi\r\n".utf8)
            _ = await apple.emulator.receiveMail(content, from: nil, to: ["maya@example.com"])
            let mail = try JSONObject(parsing: await apple.mail(of: "maya@example.com"))
            #expect(mail["messages"]?.arrayValue?.count == 1)
            #expect(try JSONValue(parsing: await apple.requests()) == [])
        }
    }

    @Test("An added user is present, and the state is JSON") func adding() async throws {
        try await withAppleEmulator { apple in
            try await apple.add(#"{"email": "vera@example.com"}"#, as: .person)
            _ = try await apple.credentials(for: "vera@example.com")
            let people = try JSONObject(parsing: await apple.state())["people"]?.arrayValue
            #expect(people?.contains { $0.objectValue?["email"] == "vera@example.com" } == true)
            try await apple.emulator.stopUsing("vera@example.com", clientID: "com.example.juice")
            let sent = try JSONValue(parsing: await apple.sentNotifications()).arrayValue
            #expect(sent != nil)
        }
    }

    @Test("Text that is no JSON object is an error of the test", arguments: ["", "[]", "{"])
    func noObject(text: String) async throws {
        try await withAppleEmulator { apple in
            await #expect(throws: TestAppleError.self) { try await apple.addFault(text) }
            await #expect(throws: TestAppleError.self) { try await apple.changeSwitches(text) }
        }
    }
}
