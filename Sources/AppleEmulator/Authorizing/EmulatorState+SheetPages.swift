import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    /// The sheet's texts in the language of the request at hand.
    var words: SheetWords { renderer.language.words }

    /// How many people are named on the page that asks for an address.
    private static let maximumKnownEmailCount = 8

    /// The page of the step that a transaction stands at.
    func showStep(
        of transaction: Transaction,
        named identifier: String,
        email: String = "",
        answers: SheetAnswers? = nil,
        error: String? = nil
    ) -> Outcome {
        let asked = transaction.request
        switch transaction.step {
        case .chooser(let signedIn):
            let accounts = signedIn.compactMap { people[$0.personID] }
            guard !accounts.isEmpty else {
                return page(.signIn(signInPage(asked, identifier)), .ok)
            }
            let content = ChooserPage(
                transaction: identifier,
                appName: asked.client.name,
                accounts: accounts.map(Self.chooserAccount),
                error: error
            )
            return page(.chooser(content), .ok)
        case .signIn:
            var content = signInPage(asked, identifier)
            content.email = email
            content.error = error
            return page(.signIn(content), .ok)
        case .twoFactor(let personID, let digits):
            let content = TwoFactorPage(
                transaction: identifier,
                appName: asked.client.name,
                email: people[personID]?.account.email ?? "",
                code: digits,
                error: error
            )
            return page(.twoFactor(content), .ok)
        case .sheet(let personID, _):
            guard let person = people[personID] else {
                return page(.signIn(signInPage(asked, identifier)), .ok)
            }
            if person.consents[asked.client.group] != nil {
                return page(returningPage(asked, identifier, person: person, error: error), .ok)
            }
            var content = consentPage(asked, identifier, person: person)
            content.error = error
            if let answers { content.fill(with: answers) }
            return page(.consent(content), .ok)
        }
    }

    private static func chooserAccount(_ person: Person) -> ChooserPage.Account {
        ChooserPage.Account(
            action: chooseAction + String(person.id.number),
            personName: person.name.displayName,
            email: person.account.email
        )
    }

    func signInPage(_ asked: AuthorizationRequest, _ identifier: String) -> SignInPage {
        SignInPage(
            transaction: identifier,
            appName: asked.client.name,
            knownEmails: people.page(maximumCount: Self.maximumKnownEmailCount)
                .map(\.account.email)
        )
    }

    private func returningPage(
        _ asked: AuthorizationRequest,
        _ identifier: String,
        person: Person,
        error: String?
    ) -> SheetPage {
        .returning(
            ReturningPage(
                transaction: identifier,
                appName: asked.client.name,
                personName: person.name.displayName,
                email: person.account.email,
                error: error
            )
        )
    }

    private func consentPage(
        _ asked: AuthorizationRequest,
        _ identifier: String,
        person: Person
    ) -> ConsentPage {
        let account = person.account
        var page = ConsentPage(
            transaction: identifier,
            appName: asked.client.name,
            email: account.email,
            asksName: asked.asksName,
            givenName: account.givenName ?? "",
            familyName: account.familyName ?? "",
            asksEmail: asked.asksEmail && account.hasEmail,
            allowsHidingEmail: !account.isManaged
        )
        page.isManaged = account.isManaged
        page.lacksEmail = asked.asksEmail && !account.hasEmail
        page.isEmailUnverified = account.hasEmail && !account.isVerified(account.email)
        page.addresses = account.addresses
        page.isFirstApp = person.consents.isEmpty && person.formerGroups.isEmpty
        return page
    }
}

extension ConsentPage {
    fileprivate mutating func fill(with answers: SheetAnswers) {
        givenName = answers.givenName ?? givenName
        familyName = answers.familyName ?? familyName
        hidesEmail = answers.emailChoice == "hide"
        chosenAddress = answers.sharedEmail ?? chosenAddress
    }
}
