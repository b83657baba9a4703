import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServerTestSupport
import SignInWithApple
import Synchronization
import Testing

/// Signing in, from Apple's page or a device to the last revocation, over real sockets.
@Suite struct SignInOverHTTPTests {
    private static let app: ClientID = "com.example.juice"
    private static let site: ClientID = "com.example.juice.site"
    /// The longest form a test's receiver reads, in bytes.
    private static let maximumFormByteCount = 64 * 1024

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
            let redeemedAt = apple.time.now
            let grant = try await signIn.redeem(code: code, clientID: Self.app)
            #expect(grant.identity.user == identity.user)
            let token = try #require(grant.refreshToken)
            let refreshed = try await signIn.refresh(token, clientID: Self.app)
            #expect(refreshed.identity.user == identity.user)
            try await expectDailyValidation(of: token, since: redeemedAt, signIn, apple)
            try await signIn.revoke(token, clientID: Self.app)
            let end = try await signIn.validate(token, clientID: Self.app, lastChecked: nil)
            guard case .revoked = end else {
                Issue.record("a revoked token is told as \(end)")
                return
            }
        }
    }

    private func expectDailyValidation(
        of token: String,
        since redeemedAt: Date,
        _ signIn: AppleSignIn,
        _ apple: ServedApple
    ) async throws {
        let count = await apple.askedPaths().count
        let first = try await signIn.validate(token, clientID: Self.app, lastChecked: redeemedAt)
        #expect(first == .fresh(nextCheck: redeemedAt.addingTimeInterval(86_400)))
        #expect(await apple.askedPaths().count == count)
        apple.time.advance(bySeconds: 86_400)
        let second = try await signIn.validate(token, clientID: Self.app, lastChecked: redeemedAt)
        guard case .valid(_, let checkedAt) = second else {
            Issue.record("a good token is told as \(second)")
            return
        }
        #expect(checkedAt == apple.time.now)
    }

    @Test func webSignInFromTheAddressToTheCallback() async throws {
        try await withServedApple { apple in
            try await withSite(of: apple) { redirectURI, callbacks in
                let signIn = try apple.signIn(clientIDs: [Self.app, Self.site])
                let url = signIn.authorizationURL(
                    clientID: Self.site,
                    redirectURI: redirectURI,
                    scopes: [.name, .email],
                    state: "the state/+ &",
                    nonce: "the nonce"
                )
                try await post(
                    apple.open(
                        url,
                        deciding: [
                            "person": "maya@example.com", "decision": "continue", "email": "hide",
                            "name": ["given_name": "Máyà", "family_name": "O'Lindgren & Co"],
                        ]
                    ),
                    to: redirectURI
                )
                let callback = try #require(callbacks.last)
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
                let grant = try await signIn.redeem(
                    code: authorization.code,
                    clientID: Self.site,
                    redirectURI: redirectURI,
                    receivedAt: apple.time.now
                )
                #expect(grant.identity.user == identity.user)
            }
        }
    }

    @Test func webSignInIsFinishedOnceAndCancelIsAValue() async throws {
        try await withServedApple { apple in
            try await withSite(of: apple) { redirectURI, callbacks in
                let signIn = try apple.signIn(clientIDs: [Self.app, Self.site])
                for decision in ["continue", "cancel"] {
                    let (address, pending) = signIn.beginWebSignIn(
                        clientID: Self.site,
                        redirectURI: redirectURI
                    )
                    try await post(
                        apple.open(
                            address,
                            deciding: ["person": "maya@example.com", "decision": .string(decision)]
                        ),
                        to: redirectURI
                    )
                    let callback = try #require(callbacks.last)
                    #expect(callback.pendingID == pending.id)
                    let verified = try await signIn.finishWebSignIn(callback, pending: pending)
                    #expect((verified == nil) == (decision == "cancel"))
                    guard let verified else { continue }
                    let grant = try await signIn.redeem(
                        code: verified.code,
                        clientID: Self.site,
                        redirectURI: verified.redirectURI
                    )
                    #expect(grant.identity.user == verified.identity.user)
                }
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
            let (response, body) = try await ServedApple.send(
                .post,
                apple.url.appending(path: ApplePath.token),
                Data(fields.joined(separator: "&").utf8),
                contentType: "application/x-www-form-urlencoded"
            )
            #expect(response.status == .ok, "\(String(decoding: body, as: UTF8.self))")
        }
    }

    @Test func managedAccountTellsItsOrganization() async throws {
        try await withServedApple { apple in
            try await apple.control("people", ["email": "kim@school.example", "managed": true])
            let credential = try await apple.credentials(for: "kim@school.example")
            let identity = try await apple.signIn().verify(
                try #require(credential["identity_token"]?.stringValue),
                expecting: .init(nonce: .absent)
            )
            #expect(identity.organizationID?.isEmpty == false)
            #expect(!identity.isPrivateEmail)
        }
    }

    private func post(_ callback: TestCallback, to redirectURI: String) async throws {
        let (response, _) = try await ServedApple.send(
            .post,
            try #require(URL(string: redirectURI)),
            callback.formBody,
            contentType: "application/x-www-form-urlencoded"
        )
        #expect(response.status == .ok)
    }

    /// A web site that takes Apple's answers, and is registered with the emulated Apple.
    private func withSite(
        of apple: ServedApple,
        _ body: @escaping @Sendable (String, Received) async throws -> Void
    ) async throws {
        let callbacks = Received()
        let router = Router(context: BasicRequestContext.self)
        router.post("callback") { request, _ in
            let form = try await request.body.collect(upTo: Self.maximumFormByteCount)
            let callback = try AuthorizationCallback(formBody: Data(form.readableBytesView))
            callbacks.append(callback)
            return HTTPResponse.Status.ok
        }
        try await withLoopbackServer(router) { port in
            let redirectURI = "http://localhost:\(port)/callback"
            try await apple.control(
                "services",
                [
                    "client_id": .string(Self.site.rawValue),
                    "primary_client_id": .string(Self.app.rawValue),
                    "return_urls": [.string(redirectURI)],
                ]
            )
            try await body(redirectURI, callbacks)
        }
    }

    /// The forms that arrived.
    private final class Received: Sendable {
        private let list = Mutex<[AuthorizationCallback]>([])

        var last: AuthorizationCallback? { list.withLock(\.last) }

        func append(_ callback: AuthorizationCallback) {
            list.withLock { $0.append(callback) }
        }
    }
}
