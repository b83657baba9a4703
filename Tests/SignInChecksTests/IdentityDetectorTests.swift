import Foundation
import Testing

@testable import SignInChecks

@Suite("The signed-in user on a page") struct IdentityDetectorTests {
    private func snapshot(_ text: String, status: Int = 200) -> Snapshot {
        Snapshot(
            WebAnswer(url: URL(filePath: "/"), status: status, headers: [], body: Data(text.utf8))
        )
    }

    private var pages: IdentityDetector {
        IdentityDetector(
            anonymous: (snapshot("Sign in. token 111"), snapshot("Sign in. token 112")),
            victims: (
                snapshot("Hello Vera vera@example.com id7 token 222 Sign out"),
                snapshot("Hello Vera vera@example.com id7 token 333 Sign out")
            ),
            attacker: snapshot("Hello Arno arno@example.com id8 token 444 Sign out")
        )
    }

    @Test("Users are distinguished by the words that only they see each time")
    func people() {
        #expect(pages.tellsPeople)
        #expect(pages.who(snapshot("Sign in. token 555")) == .anonymous)
        #expect(pages.who(snapshot("Hello Vera vera@example.com id7 Sign out")) == .victim)
        #expect(pages.who(snapshot("Hello Arno arno@example.com id8 Sign out 444")) == .attacker)
        #expect(pages.who(snapshot("Hello Nele nele@example.com id9 Sign out")) == .somebody)
        #expect(pages.who(snapshot("Sign in. Error", status: 500)) == .anonymous)
    }

    @Test("A route with 401 shows no user, and one without names distinguishes none")
    func statuses() {
        let route = IdentityDetector(
            anonymous: (snapshot("", status: 401), snapshot("", status: 401)),
            victims: (snapshot("ok"), snapshot("ok")),
            attacker: snapshot("ok")
        )
        #expect(!route.tellsPeople)
        #expect(route.who(snapshot("", status: 401)) == .anonymous)
        #expect(route.who(snapshot("ok")) == .somebody)
    }

    private static let subject = "000123.0123456789abcdef0123456789abcde"

    /// A page that shows only one word of a user, or the text without a user.
    private func shortPage(
        _ stranger: (String, String),
        _ victim: String,
        _ attacker: String
    ) -> IdentityDetector {
        IdentityDetector(
            anonymous: (snapshot(stranger.0), snapshot(stranger.1)),
            victims: (snapshot(victim), snapshot(victim)),
            attacker: snapshot(attacker),
            subjects: .init(victim: "\(Self.subject)1.0123", attacker: "\(Self.subject)2.0123")
        )
    }

    @Test("Another user is recognized by an identifier in Apple's format")
    func subjects() {
        let pages = shortPage(("", ""), "\(Self.subject)1.0123", "\(Self.subject)2.0123")
        #expect(pages.who(snapshot("\(Self.subject)1.0123")) == .victim)
        #expect(pages.who(snapshot("\(Self.subject)2.0123")) == .attacker)
        #expect(pages.who(snapshot("\(Self.subject)3.0123")) == .somebody)
        #expect(pages.who(snapshot("")) == .anonymous)
    }

    @Test("The victim is recognized by the identifier, despite a changed name")
    func changedName() {
        let pages = shortPage(
            ("nobody", "nobody"),
            "\(Self.subject)1.0123 Vera Vogt vera@example.com",
            "\(Self.subject)2.0123 Arno Abt arno@example.com"
        )
        #expect(pages.who(snapshot("\(Self.subject)1.0123 Nele Neu nele@example.com")) == .victim)
    }

    @Test("A user without a name is recognized by a page unlike the one without a user")
    func nameless() {
        let pages = shortPage(("nobody", "nobody"), "Vera", "Arno")
        #expect(pages.who(snapshot("")) == .somebody)
        #expect(pages.who(snapshot("nobody")) == .anonymous)
        #expect(pages.who(snapshot("nobody: the sign-in failed")) == .anonymous)
        let greeting = shortPage(("Sign in", "Sign in"), "Hello Vera Bye", "Hello Arno Bye")
        #expect(greeting.who(snapshot("Welcome Bye")) == .somebody)
        #expect(greeting.who(snapshot("Your time is over")) == .anonymous)
    }

    @Test("Changing words on the page without a user are not a user")
    func noise() {
        let pages = shortPage(("token 111", "token 112"), "Vera token 222", "Arno token 333")
        #expect(pages.who(snapshot("token 444")) == .anonymous)
        #expect(pages.who(snapshot("Nele token 444")) == .somebody)
    }
}
