import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// From the address for the browser to a verified sign-in, with one thing changed on the way.
@Suite struct WebSignInTests {
    private static let web: ClientID = "com.example.juice.web"
    private static let redirectURI = "https://juice.example.com/sign-in/apple/callback"

    private struct Attempt {
        let apple: TestApple
        let signIn: AppleSignIn
        var pending: PendingWebSignIn?
        var form: [(name: String, value: String)]

        func finish() async throws -> VerifiedWebSignIn? {
            let body = form.map { name, value in
                name + "="
                    + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
            }
            let callback = try AuthorizationCallback(
                formBody: Data(body.joined(separator: "&").utf8)
            )
            return try await signIn.finishWebSignIn(callback, pending: pending)
        }

        mutating func set(_ name: String, _ value: String) {
            form.removeAll { $0.name == name }
            form.append((name, value))
        }
    }

    private func withAttempt(
        isContinuing: Bool = true,
        _ test: @escaping @Sendable (Attempt) async throws -> Void
    ) async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let start = signIn.beginWebSignIn(
                clientID: Self.web,
                redirectURI: Self.redirectURI
            )
            let callback = try await apple.authorize(
                start.authorizationURL,
                isContinuing: isContinuing
            )
            try await test(
                Attempt(
                    apple: apple,
                    signIn: signIn,
                    pending: start.pending,
                    form: callback.fields.map { ($0.name, $0.value) }
                )
            )
        }
    }

    @Test func wholeWay() async throws {
        try await withAttempt { attempt in
            let verified = try #require(try await attempt.finish())
            #expect(verified.identity.email == "maya@example.com")
            #expect(verified.name == PersonName(givenName: "Maya", familyName: "Lindgren"))
            #expect(!verified.isNameUnreadable)
            let grant = try await attempt.signIn.exchange(verified)
            #expect(grant.identity.userID == verified.identity.userID)
        }
    }

    @Test func challengeIsOfTheKeptVerifier() async throws {
        let start = ScriptedApple().signIn()
            .beginWebSignIn(clientID: Self.web, redirectURI: Self.redirectURI)
        let (address, pending) = (start.authorizationURL, start.pending)
        let verifier = try #require(pending.codeVerifier)
        #expect(CodeVerifier.isWellFormed(verifier) && !address.absoluteString.contains(verifier))
        let query = try StrictQuery(of: address.absoluteString)
        #expect(query["code_challenge"] == CodeVerifier.challenge(of: verifier))
        #expect(query["code_challenge_method"] == "S256")
        // A sign-in that a version without PKCE began has none.
        let kept = String(decoding: try JSONEncoder().encode(pending), as: UTF8.self)
        let older = kept.replacing(/"codeVerifier":"[^"]*",?/, with: "").replacing(",}", with: "}")
        #expect(older != kept)
        let read = try JSONDecoder().decode(PendingWebSignIn.self, from: Data(older.utf8))
        #expect(read.codeVerifier == nil && read.state == pending.state)
    }

    @Test func anotherBrowserCanNotFinish() async throws {
        try await withAttempt { attempt in
            var attempt = attempt
            let other = attempt.signIn.beginWebSignIn(
                clientID: Self.web,
                redirectURI: Self.redirectURI
            )
            for pending in [other.pending, nil] {
                attempt.pending = pending
                await expectRefusal(.stateMismatch) { [attempt] in try await attempt.finish() }
            }
        }
    }

    @Test func cancelOfAnotherBrowserIsRefusedToo() async throws {
        try await withAttempt(isContinuing: false) { attempt in
            var attempt = attempt
            attempt.pending = nil
            await expectRefusal(.stateMismatch) { [attempt] in try await attempt.finish() }
        }
    }

    @Test(arguments: ["", "s", "0123456789abcdef.1.0123456789abcdef0123456789abcde"])
    func otherStates(_ state: String) async throws {
        try await withAttempt { attempt in
            var attempt = attempt
            attempt.set("state", state)
            let code: SignInError.Code = state.isEmpty ? .stateMissing : .stateMismatch
            await expectRefusal(code) { [attempt] in try await attempt.finish() }
        }
    }

    @Test func afterTenMinutesItIsTooLate() async throws {
        try await withAttempt { attempt in
            attempt.apple.time.advance(bySeconds: 600)
            let finished = try await attempt.finish()
            #expect(finished != nil)
            attempt.apple.time.advance(bySeconds: 1)
            await expectRefusal(.stateExpired) { try await attempt.finish() }
            // A browser has dropped the cookie by then.
            var without = attempt
            without.pending = nil
            await expectRefusal(.stateExpired) { [without] in try await without.finish() }
        }
    }

    @Test func partsOfAnotherSignInAreRefused() async throws {
        try await withAttempt { attempt in
            let start = attempt.signIn.beginWebSignIn(
                clientID: Self.web,
                redirectURI: Self.redirectURI
            )
            let other = try await attempt.apple.authorize(start.authorizationURL)
            let token = try #require(other["id_token"])
            let code = try #require(other["code"])
            for (name, value, refusal) in [
                ("id_token", token, SignInError.Code.tokenNonceMismatch),
                ("code", code, .tokenCodeHashMismatch), ("id_token", "", .callbackIncomplete),
            ] {
                var changed = attempt
                changed.set(name, value)
                await expectRefusal(refusal) { [changed] in try await changed.finish() }
            }
        }
    }

    @Test func unreadableNameIsLeftOut() async throws {
        try await withAttempt { attempt in
            var attempt = attempt
            attempt.set("user", #"{"name":7}"#)
            let verified = try #require(try await attempt.finish())
            #expect(verified.name == nil)
            #expect(verified.isNameUnreadable)
        }
    }

    @Test func nameKeepsItsLimits() async throws {
        try await withAttempt { attempt in
            var attempt = attempt
            let long = String(repeating: "a", count: 201)
            attempt.set("user", #"{"name":{"firstName":"\#(long)"}}"#)
            await expectRefusal(.nameTooLong) { [attempt] in try await attempt.finish() }
            attempt.set("user", "{\"name\":{\"firstName\":\"\u{202E}ayaM\"}}")
            let finished = try await attempt.finish()
            #expect(finished?.name == PersonName(givenName: "ayaM"))
        }
    }
}
