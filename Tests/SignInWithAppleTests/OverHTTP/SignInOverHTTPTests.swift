import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import SignInWithApple
import Testing

/// Signing in, from Apple's page or a device to the last revocation, over real sockets.
@Suite struct SignInOverHTTPTests {
    private static let app: ClientID = "com.example.juice"
    private static let site: ClientID = "com.example.juice.web"
    private static let redirectURI = "https://juice.example.com/sign-in/apple/callback"

    @Test func nativeSignInFromDeviceToDeletion() async throws {
        try await withServedApple { apple in
            let signIn = try apple.signIn()
            let credential = try await apple.credentials(nonce: "the nonce")
            let code = try #require(credential["authorization_code"]?.stringValue)
            let identity = try await signIn.verify(
                try #require(credential["identity_token"]?.stringValue),
                expecting: .init(
                    nonce: .raw("the nonce"),
                    clientIDs: [Self.app],
                    authorizationCode: code
                )
            )
            #expect(identity.email == "maya@example.com")
            let grant = try await signIn.exchange(code: code, clientID: Self.app)
            #expect(grant.nextCheck == apple.time.now.addingTimeInterval(86_400))
            #expect(grant.identity.userID == identity.userID)
            let token = try #require(grant.refreshToken)
            let refreshed = try await signIn.refresh(token, clientID: Self.app)
            #expect(refreshed.identity.userID == identity.userID)
            try await expectDailyValidation(of: token, due: grant.nextCheck, signIn, apple)
            try await signIn.revoke(token, clientID: Self.app)
            let end = try await signIn.validate(token, clientID: Self.app, nextCheck: nil)
            #expect(end.finding == .revoked)
            #expect(await !apple.askedPaths().contains(ApplePath.discovery))
        }
    }

    private func expectDailyValidation(
        of token: String,
        due: Date,
        _ signIn: AppleSignIn,
        _ apple: ServedApple
    ) async throws {
        let count = await apple.askedPaths().count
        let first = try await signIn.validate(token, clientID: Self.app, nextCheck: due)
        #expect(first == .init(.fresh, nextCheck: due))
        #expect(await apple.askedPaths().count == count)
        apple.time.advance(bySeconds: 86_400)
        let second = try await signIn.validate(token, clientID: Self.app, nextCheck: due)
        #expect(second.finding == .valid)
        #expect(second.nextCheck == apple.time.now.addingTimeInterval(86_400))
    }

    @Test func webSignInFromTheAddressToTheCallback() async throws {
        try await withServedApple { apple in
            let signIn = try apple.signIn()
            let url = signIn.authorizationURL(
                clientID: Self.site,
                redirectURI: Self.redirectURI,
                scopes: [.name, .email],
                state: "the state/+ &",
                nonce: "the nonce"
            )
            let posted = try await apple.open(
                url,
                deciding: [
                    "person": "maya@example.com", "decision": "continue", "email": "hide",
                    "name": ["given_name": "Máyà", "family_name": "O'Lindgren & Co"],
                ]
            )
            let callback = try AuthorizationCallback(formBody: posted.formBody)
            #expect(callback.state == "the state/+ &")
            #expect(callback.user?.name?.displayName == "Máyà O'Lindgren & Co")
            let authorization = try callback.authorization()
            let identity = try await signIn.verify(
                try #require(authorization.identityToken),
                expecting: .init(
                    nonce: .raw("the nonce"),
                    clientIDs: [Self.site],
                    authorizationCode: authorization.code
                )
            )
            #expect(identity.isPrivateEmail)
            #expect(identity.clientID == Self.site)
            let grant = try await signIn.exchange(
                code: authorization.code,
                clientID: Self.site,
                redirectURI: Self.redirectURI,
                receivedAt: apple.time.now
            )
            #expect(grant.identity.userID == identity.userID)
            #expect(grant.identity.nonce == "the nonce")
        }
    }

    @Test func webSignInIsFinishedOnceAndCancelIsAValue() async throws {
        try await withServedApple { apple in
            let signIn = try apple.signIn()
            for decision in ["continue", "cancel"] {
                let start = signIn.beginWebSignIn(
                    clientID: Self.site,
                    redirectURI: Self.redirectURI
                )
                let posted = try await apple.open(
                    start.authorizationURL,
                    deciding: ["person": "maya@example.com", "decision": .string(decision)]
                )
                let callback = try AuthorizationCallback(formBody: posted.formBody)
                #expect(callback.pendingID == start.pending.id)
                let verified = try await signIn.finishWebSignIn(callback, pending: start.pending)
                #expect((verified == nil) == (decision == "cancel"))
                guard let verified else { continue }
                let grant = try await signIn.exchange(verified)
                #expect(grant.identity.userID == verified.identity.userID)
            }
        }
    }

    @Test func clientSecretIsGoodForAnyOtherClient() async throws {
        try await withServedApple { apple in
            let credential = try await apple.credentials()
            let secret = try apple.signIn().clientSecret(for: Self.app)
            let fields = [
                "client_id=\(Self.app)", "client_secret=\(secret)",
                "grant_type=authorization_code",
                "code=\(credential["authorization_code"]?.stringValue ?? "")",
            ]
            let response = try await ServedApple.send(
                .post,
                apple.url.appending(path: ApplePath.token),
                Data(fields.joined(separator: "&").utf8),
                contentType: "application/x-www-form-urlencoded"
            )
            #expect(
                response.head.status == .ok,
                "\(String(decoding: response.body, as: UTF8.self))"
            )
        }
    }
}
