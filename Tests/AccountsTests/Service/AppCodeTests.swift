import Accounts
import AppleIdentity
import Testing

@Suite("App codes", AccountsWorld.lending) struct AppCodeTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    /// The example of [RFC 7636, appendix B](https://www.rfc-editor.org/rfc/rfc7636#appendix-B).
    private static let binding = AppCodeBinding(
        clientID: "com.example.juice",
        redirectURI: "http://127.0.0.1:51004/signed-in",
        challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    )

    private func candidate(_ code: String, verifier: String = verifier) -> AppCodeCandidate {
        AppCodeCandidate(
            code: code,
            verifier: verifier,
            redirectURI: Self.binding.redirectURI,
            clientID: Self.binding.clientID,
            client: ClientDescription(device: "Juice/1.0", address: "192.0.2.1")
        )
    }

    @Test("sign the app in with the verifier of RFC 7636's example, and are stored only as hashes")
    func signsIn() async throws {
        let browser = try await service.create()
        let code = try await service.makeAppCode(for: Self.binding, confirmedBy: browser.session)
        #expect(code.utf8.count == 43)
        #expect(try await !contents(of: world.sqlite).joined().contains(code))
        let app = try await service.signIn(candidate(code))
        #expect(app.account.id == browser.account.id)
        #expect(app.session.id != browser.session.id)
        #expect(app.session.device == "Juice/1.0")
        #expect(await world.signedIn(app, in: service))
        #expect(await world.signedIn(browser, in: service))
    }

    @Test("do not turn an old sign-in into a recent one")
    func freshness() async throws {
        let browser = try await service.create()
        world.time.advance(bySeconds: 601)
        let code = try await service.makeAppCode(for: Self.binding, confirmedBy: browser.session)
        let app = try await service.signIn(candidate(code))
        await expect(.recentSignInRequired) { try await service.deleteAccount(app.session) }
    }

    @Test("are valid for a minute")
    func expiry() async throws {
        let browser = try await service.create()
        var codes: [String] = []
        for _ in 0..<2 {
            codes.append(
                try await service.makeAppCode(for: Self.binding, confirmedBy: browser.session)
            )
        }
        world.time.advance(bySeconds: 59)
        _ = try await service.signIn(candidate(codes[0]))
        world.time.advance(bySeconds: 1)
        await expect(.appCodeInvalid) { try await service.signIn(candidate(codes[1])) }
    }

    @Test("are invalidated by a wrong verifier")
    func wrongVerifier() async throws {
        let browser = try await service.create()
        let code = try await service.makeAppCode(for: Self.binding, confirmedBy: browser.session)
        await expect(.appCodeInvalid) {
            try await service.signIn(candidate(code, verifier: Self.binding.challenge))
        }
        await expect(.appCodeInvalid) { try await service.signIn(candidate(code)) }
    }

    @Test("are invalidated by a changed password, and are not issued to an ended session")
    func ended() async throws {
        let browser = try await service.create()
        let code = try await service.makeAppCode(for: Self.binding, confirmedBy: browser.session)
        _ = try await service.change(to: "seven ripe oranges", requestedBy: browser.session)
        await expect(.appCodeInvalid) { try await service.signIn(candidate(code)) }
        try await service.signOut(browser.session)
        await expect(.sessionInvalid) {
            try await service.makeAppCode(for: Self.binding, confirmedBy: browser.session)
        }
    }

    @Test("that were never issued are refused, and then throttled")
    func guesses() async throws {
        for code in ["", "short", String(repeating: "x", count: 100_000)] {
            await expect(.appCodeInvalid) { try await service.signIn(candidate(code)) }
        }
        for _ in 0..<30 {
            let guess = SessionToken().text
            await expect(.appCodeInvalid) { try await service.signIn(candidate(guess)) }
        }
        await expect(.tooManyAttempts) { try await service.signIn(candidate(SessionToken().text)) }
    }
}
