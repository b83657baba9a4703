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
            try await apple.fail(.token)
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

    @Test("Mail and requests are values") func reading() async throws {
        try await withAppleEmulator { apple in
            #expect(await apple.requests.isEmpty)
            try await apple.sendMail(
                "Hi",
                text: "Hello",
                from: "hi@juice.example.com",
                to: "maya@example.com"
            )
            let mail = try #require(try await apple.mail(of: "maya@example.com").first)
            #expect(mail.sender == "hi@juice.example.com" && mail.subject == "Hi")
            #expect(mail.recipient == "maya@example.com" && mail.relayAddress == nil)
            #expect(mail.text == "Hello\r\n")
            let relay = try #require(try await apple.credentials(hidesEmail: true).email)
            await #expect(throws: TestAppleError.self) {
                try await apple.sendMail("Hi", from: "hi@other.example.com", to: relay)
            }
            #expect(try await apple.mail(of: "noah@example.com").isEmpty)
            let credential = try await apple.credentials()
            try await apple.revokeKeys()
            await #expect(throws: SignInError.self) {
                try await apple.signIn().exchange(
                    code: credential.authorizationCode,
                    clientID: "com.example.juice"
                )
            }
            let request = try #require(await apple.requests.last)
            #expect(request.method == "POST" && request.path == "/auth/token")
            #expect(request.clientID == "com.example.juice" && request.status == 400)
            #expect(request.refusal?.error == "invalid_client")
            #expect(request.refusal?.reason?.contains("key") == true)
        }
    }

    @Test("Registrations are added together, or not at all") func adding() async throws {
        try await withAppleEmulator { apple in
            let seed = Seed(
                teams: [SeedTeam(teamID: "PULPTEAM01")],
                apps: [SeedApp(clientID: "com.example.pulp", teamID: "PULPTEAM01")],
                people: [SeedPerson(email: "vera@example.com")]
            )
            try await apple.add(seed)
            let credential = try await apple.credentials(
                for: "vera@example.com",
                clientID: "com.example.pulp"
            )
            #expect(credential.email == "vera@example.com")
            let wrong = Seed(
                apps: [SeedApp(clientID: "com.example.rind", teamID: "NOBODYTEAM")],
                people: [SeedPerson(email: "olga@example.com")]
            )
            await #expect(throws: ControlRefusal.self) { try await apple.add(wrong) }
            await #expect(throws: ControlRefusal.self) {
                try await apple.credentials(for: "olga@example.com")
            }
        }
    }

    @Test("A test has ids of its own, and its first user and app need no name")
    func ownIDs() async throws {
        let seed = Seed(
            teams: [SeedTeam(teamID: "PULPTEAM01")],
            apps: [SeedApp(clientID: "com.pulp.app", teamID: "PULPTEAM01")],
            people: [SeedPerson(email: "vera@pulp.example", givenName: "Vera")]
        )
        try await withAppleEmulator(seed: seed) { apple in
            let credential = try await apple.credentials(nonce: "raw")
            let identity = try await apple.signIn().verify(
                credential.identityToken,
                expecting: .init(nonce: .raw("raw"))
            )
            #expect(identity.clientID == "com.pulp.app" && identity.email == "vera@pulp.example")
        }
        try await withAppleEmulator(seed: Seed()) { apple in
            await #expect(throws: TestAppleError("the seed has no app")) {
                _ = try await apple.credentials()
            }
        }
    }

    @Test("A fault concerns one client, or closes the connection") func faults() async throws {
        try await withAppleEmulator { apple in
            try await apple.fail(.token, status: nil, clientID: "com.example.juice.web")
            let faults = await apple.emulator.faults()
            #expect(faults.first?["drop"] == true)
            #expect(faults.first?["client_id"] == "com.example.juice.web")
            let credential = try await apple.credentials()
            let signIn = try apple.signIn()
            let code = credential.authorizationCode
            _ = try await signIn.exchange(code: code, clientID: "com.example.juice")
            await #expect(throws: SignInError.self) {
                try await signIn.refresh("r", clientID: "com.example.juice.web")
            }
            let request = try #require(await apple.requests.last)
            #expect(request.status == nil && request.refusal?.error == "fault")
            for endpoint in TestApple.Endpoint.allCases { try await apple.fail(endpoint) }
            await #expect(throws: ControlRefusal.self) {
                try await apple.fail(.keys, clientID: "com.example.juice.web")
            }
            await #expect(throws: ControlRefusal.self) { try await apple.fail(.token, status: 99) }
        }
    }

    /// A test of an app changes the state of its own actor.
    @Test("A test on the main actor uses its own state") @MainActor func mainActor() async throws {
        var emails: [String?] = []
        try await withAppleEmulator { apple in
            MainActor.assertIsolated()
            emails.append(try await apple.credentials().email)
        }
        #expect(emails == ["maya@example.com"])
    }

    @Test("Two emulators share a clock") func sharedClock() async throws {
        let clock = TestClock(now: Date(timeIntervalSince1970: 1_800_000_000))
        let other = try await AppleEmulator(seed: .demo(), clock: clock)
        try await withAppleEmulator(clock: clock) { apple in
            apple.advance(by: .seconds(60))
            #expect(clock.now.timeIntervalSince1970 == 1_800_000_060)
            #expect(other.shownTime.now == clock.now)
        }
    }

    @Test("Text that is no JSON object is an error of the test", arguments: ["", "[]", "{"])
    func noObject(text: String) async throws {
        try await withAppleEmulator { apple in
            await #expect(throws: TestAppleError.self) { try await apple.changeSwitches(text) }
        }
    }
}
