import Foundation
import Testing

@testable import SignInChecks

@Suite("Who is signed in, by what a page shows") struct RecognitionTests {
    private func snapshot(_ text: String, status: Int = 200) -> Snapshot {
        Snapshot(
            WebAnswer(
                url: URL(filePath: "/"),
                status: status,
                headers: [],
                body: Data(text.utf8)
            )
        )
    }

    private var pages: Recognition {
        Recognition(
            anonymous: snapshot("Sign in. token 111"),
            victims: (
                snapshot("Hello Vera vera@example.com id7 token 222 Sign out"),
                snapshot("Hello Vera vera@example.com id7 token 333 Sign out")
            ),
            attacker: snapshot("Hello Arno arno@example.com id8 token 444 Sign out")
        )
    }

    @Test("People are told apart by what is theirs each time")
    func people() {
        #expect(pages.tellsPeople && pages.tellsAnybody)
        #expect(pages.who(snapshot("Sign in. token 555")) == .nobody)
        #expect(pages.who(snapshot("Hello Vera vera@example.com id7 Sign out")) == .victim)
        #expect(pages.who(snapshot("Hello Arno arno@example.com id8 Sign out 444")) == .attacker)
        #expect(pages.who(snapshot("Hello Nele nele@example.com id9 Sign out")) == .somebody)
        #expect(pages.who(snapshot("Sign in. Error", status: 500)) == .nobody)
    }

    @Test("A route that answers 401 tells nobody, and one without names tells no people")
    func statuses() {
        let route = Recognition(
            anonymous: snapshot("", status: 401),
            victims: (snapshot("ok"), snapshot("ok")),
            attacker: snapshot("ok")
        )
        #expect(route.tellsAnybody && !route.tellsPeople)
        #expect(route.who(snapshot("", status: 401)) == .nobody)
        #expect(route.who(snapshot("ok")) == .somebody)
    }
}
