import AppleIdentity
import Foundation
import SignInKit
import Testing

@testable import JuiceApp

/// Sentences and names, without a server.
@Suite("What the app says") struct JuiceTextTests {
    @Test(
        "Every error is a sentence and a next step",
        arguments: [
            .unknown, .noCredential, .noWindow, .invalidResponse, .notHandled, .failed,
            .notInteractive,
            .preferSignInWithApple, .serverUnreachable, .serverUnavailable(retryAfter: nil),
            .serverUnavailable(retryAfter: 7), .refused(code: "credentials_invalid"),
            .refused(code: "a_code_of_a_later_server"), .insecureServer, .credentialsLocked,
            .credentialsUnavailable, .notSignedIn, .revoked, .transferred, .anotherPerson,
            .freshSignInRequired, .alreadySigningIn, .busy, .registrationPending,
            .registrationUnsaved,
            .registrationExpired, .unexpectedAnswer,
        ] as [SignInKitError.Kind]
    )
    func problem(kind: SignInKitError.Kind) throws {
        let problem = try #require(JuiceProblem(SignInKitError(kind)))
        #expect(["." as Character, "?"].contains(try #require(problem.sentence.last)))
        #expect(problem.nextStep.last == ".")
        #expect(problem.sentence != problem.nextStep)
        #expect(!problem.code.isEmpty)
    }

    @Test("Whoever cancelled is told nothing") func cancelled() {
        #expect(JuiceProblem(SignInKitError(.canceled)) == nil)
    }

    @Test("Each reason for attention has its own words and a way on") func attention() {
        let all: [Attention] = [
            .transferred, .registrationPending, .registrationUnsaved,
        ]
        let texts = all.map(JuiceTexts.attention)
        #expect(Set(texts.map(\.title)).count == all.count)
        #expect(texts.allSatisfy { !$0.sentence.isEmpty && !$0.nextStep.isEmpty })
        let ends = SignOutReason.allCases.map { JuiceTexts.ended($0).sentence }
        #expect(Set(ends).count == ends.count)
    }

    @Test(
        "A name in one line has its last word as family name",
        arguments: [
            ("Maya Rossi", "Maya", "Rossi"), ("Mia Sol Rossi", "Mia Sol", "Rossi"),
            ("Noor", "Noor", nil), ("", nil, nil), ("  ", nil, nil),
        ]
    )
    func names(text: String, given: String?, family: String?) {
        let name = PersonName(readingDisplayName: text)
        #expect(name.givenName == given)
        #expect(name.familyName == family)
    }

    @Test(
        "The parts of a name are the server's; only a name in one line is guessed",
        arguments: [
            (
                AccountProfile(
                    id: "a",
                    name: "박건규",
                    givenName: "건규",
                    familyName: "박",
                    createdAt: .distantPast
                ), "건규", "박"
            ),
            (
                AccountProfile(id: "a", name: "박건규", familyName: "박", createdAt: .distantPast),
                JuiceTexts.noName, "박"
            ),
            (AccountProfile(id: "a", name: "Maya Sol", createdAt: .distantPast), "Maya", "Sol"),
        ]
    )
    func names(account: AccountProfile, given: String, family: String) {
        let screen = ResultScreen(SignedInPerson(account: account, isConfirmed: true))
        #expect(screen.givenName == given && screen.familyName == family)
    }

    @Test("A deletion that leaves the link at Apple says where the person ends it") @MainActor
    func deletion() {
        for remains in [false, true] {
            var person = SignedInPerson.preview
            person.account.appleLinkRemains = remains
            let model = JuiceModel(session: SignInSession(preview: person))
            model.showDeletion()
            guard case .deletion(let lead) = model.screen else {
                Issue.record("the deletion should be shown, not \(model.screen)")
                return
            }
            #expect(lead.contains("account.apple.com") == remains)
        }
    }
}
