import AppleIdentity
import Foundation
import Testing

@testable import SignInKit

@Suite("The stream of states") struct StateTests {
    private func attention(_ attention: Attention) -> SignInState { .needsAttention(attention) }

    @Test("Each listener begins with the first known state and hears all others in order")
    func order() async {
        let broadcast = StateBroadcast(.starting)
        let first = broadcast.stream()
        broadcast.send(.signedOut())
        broadcast.send(.signingIn)
        let second = broadcast.stream()
        broadcast.send(attention(.transferred))
        broadcast.send(attention(.transferred))
        broadcast.send(.signedOut(.byUser))
        broadcast.finish()
        let heard = await first.reduce(into: []) { $0.append($1) }
        #expect(heard == [.signedOut(), .signingIn, attention(.transferred), .signedOut(.byUser)])
        let rest = await second.reduce(into: []) { $0.append($1) }
        #expect(rest == [.signingIn, attention(.transferred), .signedOut(.byUser)])
        let late = await broadcast.stream().reduce(into: []) { $0.append($1) }
        #expect(late == [.signedOut(.byUser)])
    }

    @Test("The streams end when the client goes away") func end() async throws {
        var client: SignInClient? = SignInClient(
            configuration: SignInConfiguration(
                server: try #require(URL(string: "https://juice.example.com"))
            ),
            authorization: SystemAuthorization(),
            credentials: MemoryCredentialStore(),
            transport: URLSessionTransport()
        )
        let states = try #require(client?.states)
        await client?.start()
        client = nil
        #expect(await states.reduce(into: []) { $0.append($1) } == [.signedOut()])
    }
}
