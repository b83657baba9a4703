import AppleEmulator
import AppleIdentity
import Foundation
import Testing

@Suite("What tokens look like, and how long they live") struct TokenLifeTests {
    private let box: Box

    init() async throws { box = try await Box() }

    private func signIn() async throws -> Reply {
        try await box.exchange(try #require(try await box.signInOnTheWeb()["code"]))
    }

    @Test("Codes and tokens have 63 or 64 characters, and come from several places")
    func form() async throws {
        let seen: Set<Substring> = ["nruy", "mruy", "rruy", "rrsrs", "rrtrs", "mxzs", "nxsu"]
        var variesWithinASignIn = false
        for _ in 1...20 {
            let code = try #require(try await box.signInOnTheWeb()["code"])
            let tokens = try await box.exchange(code)
            let texts = [code, tokens["access_token"] ?? "", tokens["refresh_token"] ?? ""]
            for text in texts { #expect((63...64).contains(text.count), "\(text)") }
            let places = Set(texts.flatMap { $0.split(separator: ".").dropFirst(2).prefix(1) })
            #expect(places.isSubset(of: seen))
            if places.count > 1 { variesWithinASignIn = true }
        }
        #expect(variesWithinASignIn)
    }

    @Test("A refresh token does not grow old") func refreshToken() async throws {
        let token = try await signIn()["refresh_token"] ?? ""
        box.time.advance(bySeconds: 3 * 365 * 86_400)
        #expect(try await box.refresh(token).status == 200)
    }

    @Test("Refresh tokens of several sign-ins live side by side") func sideBySide() async throws {
        let tokens = [try await signIn(), try await signIn()].map { $0["refresh_token"] }
        #expect(tokens[0] != tokens[1])
        for token in tokens { #expect(try await box.refresh(token ?? "").status == 200) }
    }

    @Test("An access token is over after an hour", arguments: [3_599, 3_600])
    func accessToken(age: Int) async throws {
        let tokens = try await signIn()
        box.time.advance(bySeconds: Double(age))
        _ = await box.post(
            "/auth/revoke",
            [
                "client_id": Box.web, "client_secret": try box.secret(),
                "token": tokens["access_token"] ?? "",
            ]
        )
        let isRevoked = try await box.refresh(tokens["refresh_token"] ?? "").status == 400
        #expect(isRevoked == (age < 3_600))
    }

    @Test("Parameters that mean nothing here are ignored") func extras() async throws {
        let code = try #require(try await box.signInOnTheWeb()["code"])
        #expect(try await box.exchange(code, ["scope": "name", "colour": "red"]).status == 200)
    }
}
