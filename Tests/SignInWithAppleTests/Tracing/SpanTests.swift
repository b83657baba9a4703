import AppleEmulatorTesting
import AppleIdentity
import HTTPTypes
import InMemoryTracing
import SignInWithApple
import Synchronization
import Testing
import Tracing

/// The spans of a server's own tracer.
@Suite struct SpanTests {
    private static let app: ClientID = "com.example.juice"

    private let tracer = InMemoryTracer()

    private func signIn(_ apple: TestApple, _ transport: AppleTransport? = nil) throws
        -> AppleSignIn
    {
        var configuration = try apple.signInConfiguration()
        configuration.tracer = tracer
        return AppleSignIn(
            configuration: configuration,
            transport: transport ?? apple.transport,
            time: apple.time.source
        )
    }

    @Test("The verification and each request to Apple have a span, which the request carries")
    func steps() async throws {
        try await withAppleEmulator { apple in
            let sent = Mutex<[String]>([])
            let carried = try #require(HTTPField.Name(InMemoryTracer.spanIDKey))
            let recording = AppleTransport { request, body in
                sent.withLock { $0 += request.headerFields[values: carried] }
                return try await apple.transport.send(request, body: body)
            }
            let signIn = try signIn(apple, recording)
            let credential = try await apple.credentials()
            let identity = try await signIn.verify(credential.identityToken)
            _ = try await signIn.exchange(code: credential.authorizationCode, for: identity)
            let spans = tracer.finishedSpans
            let verification = spans.first { $0.operationName == "verify identity token" }
            let requests = spans.filter { $0.kind == .client }
            #expect(requests.map(\.operationName) == ["GET /auth/keys", "POST /auth/token"])
            #expect(requests.first?.parentSpanID == verification?.spanID)
            #expect(sent.withLock { $0 } == requests.map(\.spanID))
        }
    }

    @Test("A failure is its code, and never what was sent") func failures() async throws {
        try await withAppleEmulator { apple in
            let token = try await apple.credentials().identityToken
            let error = await #expect(throws: SignInError.self) {
                try await signIn(apple).verify(
                    token,
                    expecting: .init(nonce: .absent, clientIDs: ["a.b"])
                )
            }
            let span = try #require(tracer.finishedSpans.first { $0.kind == .internal })
            #expect(span.status?.code == .error)
            let code = try #require(error?.code.rawValue)
            #expect(span.attributes.get("error.type") == .string(code))
            #expect(span.errors.isEmpty)
        }
    }
}
