import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServerTestSupport
import SignInWithApple
import Testing

/// The emulator posts to a server of ours when a user stops using the app.
///
/// Nothing here depends on the time; the limit ends a test without its notification.
@Suite(.timeLimit(.minutes(5))) struct NotificationsOverHTTPTests {
    private static let maximumBodyByteCount = 64 * 1024

    @Test func whatPeopleDoArrivesAndIsVerified() async throws {
        let (bodies, arrived) = AsyncStream.makeStream(of: Data.self)
        let router = Router(context: BasicRequestContext.self)
        router.post("notifications") { request, _ in
            let body = try await request.body.collect(upTo: Self.maximumBodyByteCount)
            arrived.yield(Data(body.readableBytesView))
            return HTTPResponse.Status.ok
        }
        try await withLoopbackServer(router) { port in
            var seed = Seed.demo()
            seed.apps[0].notificationURL = "http://localhost:\(port)/notifications"
            try await withServedApple(seed: seed) { apple in
                let maya = try await apple.credentials(hidesEmail: true)
                let signIn = try apple.signIn()
                var next = bodies.makeAsyncIterator()

                try await apple.control(
                    "people/maya@example.com/forwarding",
                    ["client_id": "com.example.juice", "enabled": false]
                )
                let disabled = try await signIn.notification(from: #require(await next.next()))
                #expect(disabled.event.kind == .emailDisabled)
                #expect(disabled.event.email == maya["email"]?.stringValue)
                #expect(disabled.userID.rawValue == maya["user"]?.stringValue)
                #expect(disabled.clientID == "com.example.juice")

                try await apple.control(
                    "people/maya@example.com/stop-using",
                    ["client_id": "com.example.juice"]
                )
                let stopped = try await signIn.notification(from: #require(await next.next()))
                #expect(stopped.event.kind == .consentRevoked)
                #expect(stopped.notificationID != disabled.notificationID)
            }
        }
    }
}
