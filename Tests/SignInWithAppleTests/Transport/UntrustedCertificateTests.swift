import AppleIdentity
import AsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import NIOCore
import NIOPosix
import NIOSSL
import ServerTestSupport
import SignInWithApple
import Testing

/// A server in Apple's place without Apple's certificate gets no request, and is not trusted.
@Suite struct UntrustedCertificateTests {
    private let certificate: NIOSSLCertificate
    private let privateKey: NIOSSLPrivateKey
    private let visits = LockedValue(0)

    /// The certificate is for `localhost`, and self-signed.
    init() throws {
        certificate = try NIOSSLCertificate(
            bytes: Array(Fixture.data("tls/localhost.pem")),
            format: .pem
        )
        privateKey = try NIOSSLPrivateKey(
            bytes: Array(Fixture.data("tls/localhost-key.pem")),
            format: .pem
        )
    }

    /// Serves keys over TLS with that certificate, and counts the requests.
    private func withServer(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        let visits = visits
        let router = Router()
        router.get("/auth/keys") { _, _ in
            visits.withLock { $0 += 1 }
            return #"{"keys":[]}"#
        }
        let server = try HTTPServerBuilder.tls(
            .http1(),
            tlsConfiguration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)],
                privateKey: .privateKey(privateKey)
            )
        )
        try await withLoopbackServer(router, server: server, body)
    }

    private static func request(_ host: String, port: Int) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            scheme: "https",
            authority: "\(host):\(port)",
            path: ApplePath.keys
        )
    }

    @Test func isRefusedBeforeAnythingIsSent() async throws {
        try await withServer { port in
            let error = await #expect(throws: (any Error).self) {
                try await AppleTransport.live()
                    .send(Self.request("localhost", port: port), body: Data("secret".utf8))
            }
            #expect("\(String(describing: error))".contains("CERTIFICATE_VERIFY_FAILED"))
        }
        #expect(visits.withLock { $0 } == 0)
    }

    @Test func isTheOnlyReasonForTheRefusal() async throws {
        try await withTrustingClient { trusting, port in
            let response = try await AppleTransport.live(nonRedirecting: trusting)
                .send(Self.request("localhost", port: port), body: Data())
            #expect(response.head.status == .ok)
        }
        #expect(visits.withLock { $0 } == 1)
    }

    @Test func forAnotherNameIsRefusedAsWell() async throws {
        try await withTrustingClient { trusting, port in
            await #expect(throws: (any Error).self) {
                try await AppleTransport.live(nonRedirecting: trusting)
                    .send(Self.request("127.0.0.1", port: port), body: Data())
            }
        }
        #expect(visits.withLock { $0 } == 0)
    }

    @Test func makesTheKeysUnavailableAndBlamesNoToken() async throws {
        try await withServer { port in
            let url = try #require(URL(string: "https://localhost:\(port)"))
            let signIn = AppleSignIn(
                configuration: AppleSignIn.Configuration(
                    appIDs: [TokenDraft.clientID],
                    service: AppleService(url: url),
                    logger: .quiet
                )
            )
            let token = try TokenDraft(at: TimeSource.live.now).signed()
            let error = await #expect(throws: SignInError.self) { try await signIn.verify(token) }
            #expect(error?.code == .appleKeysUnavailable)
            #expect(error?.isRetryable == true)
        }
        #expect(visits.withLock { $0 } == 0)
    }

    /// A client that is shut down at the end in any case.
    private func withTrustingClient(
        _ body: @escaping @Sendable (HTTPClient, Int) async throws -> Void
    ) async throws {
        let trusting = client(trusting: certificate)
        do {
            try await withServer { port in try await body(trusting, port) }
        } catch {
            try await trusting.shutdown()
            throw error
        }
        try await trusting.shutdown()
    }

    /// The transport's own client but for the one authority it trusts.
    private func client(trusting certificate: NIOSSLCertificate) -> HTTPClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([certificate])
        return HTTPClient(
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            configuration: HTTPClient.Configuration(
                tlsConfiguration: tls,
                redirectConfiguration: .disallow
            )
        )
    }
}
