import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    /// How many people are named on the page that asks for an address.
    private static let knownEmailCountMax = 8

    /// The page of the step that a transaction stands at.
    func showStep(
        of transaction: Transaction,
        named identifier: String,
        email: String = "",
        error: String? = nil
    ) -> Outcome {
        let asked = transaction.request
        switch transaction.step {
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
            return page(sheetPage(asked, identifier, person: person, error: error), .ok)
        }
    }

    func signInPage(_ asked: AuthorizationRequest, _ identifier: String) -> SignInPage {
        SignInPage(
            transaction: identifier,
            appName: asked.client.name,
            knownEmails: people.all.prefix(Self.knownEmailCountMax).map(\.account.email)
        )
    }

    private func sheetPage(
        _ asked: AuthorizationRequest,
        _ identifier: String,
        person: Person,
        error: String?
    ) -> SheetPage {
        guard person.consents[asked.client.group] == nil else {
            return .returning(
                ReturningPage(
                    transaction: identifier,
                    appName: asked.client.name,
                    personName: person.name.displayName,
                    email: person.account.email,
                    error: error
                )
            )
        }
        return .consent(
            ConsentPage(
                transaction: identifier,
                appName: asked.client.name,
                email: person.account.email,
                asksName: asked.asksName,
                givenName: person.account.givenName ?? "",
                familyName: person.account.familyName ?? "",
                asksEmail: asked.asksEmail,
                allowsHidingEmail: !person.account.isManaged,
                error: error
            )
        )
    }
}
