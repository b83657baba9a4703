import AppleIdentity
import Foundation
import HTTPTypes

/// A sign-in to an app or to the account page, which accepts only its next step.
struct Transaction {
    static let lifetimeSeconds: TimeInterval = 600
    /// The number of wrong passwords or codes that ends it.
    static let maximumAttemptCount = 5

    enum Purpose {
        /// A sign-in to an app, with its authorization request.
        case app(AuthorizationRequest)
        case account
    }

    enum Step {
        /// Several people are signed in, and one is chosen.
        case chooser([AuthenticatedPerson])
        case signIn
        case twoFactor(PersonID, digits: String)
        /// The person is authenticated, and the sheet requests consent or confirmation.
        case sheet(PersonID, authenticatedAt: Date)
    }

    let purpose: Purpose
    /// The browser that began it, the only one that may continue it.
    let browser: BrowserMark
    let startedAt: Date
    /// The switches that the authorization request set.
    var switches: JSONObject = [:]
    var step: Step
    var failedAttemptCount = 0

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(startedAt) >= Self.lifetimeSeconds
    }
}

extension Transaction.Purpose {
    /// The authorization request; nil for the account page.
    var request: AuthorizationRequest? {
        switch self {
        case .app(let request): request
        case .account: nil
        }
    }

    /// The error name of an invalid form in the request log.
    var errorName: String {
        switch self {
        case .app: "sheet"
        case .account: "account"
        }
    }
}

/// A form that continues a transaction.
struct SignInForm {
    var fields: FormFields
    let request: HTTPRequest

    var identifier: String { fields["transaction"] ?? "" }
    /// The typed email address, cut to the maximum length of one.
    var email: String { String((fields["email"] ?? "").prefix(254)) }
}

struct AuthenticatedPerson: Hashable {
    var personID: PersonID
    var authenticatedAt: Date

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(authenticatedAt) >= AppleAccountSession.lifetimeSeconds
    }
}
