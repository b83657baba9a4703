import AppleIdentity
import Foundation
import HTTPTypes

/// A sign-in to an app or to the account page; only the next step is legal.
struct Transaction {
    static let lifetimeSeconds: TimeInterval = 600
    /// How many wrong passwords or digits end it.
    static let maximumAttemptCount = 5

    enum Purpose {
        /// Back to the app, with what the sheet was asked for.
        case app(AuthorizationRequest)
        case account
    }

    enum Step {
        /// Several people are signed in; who shall it be?
        case chooser([SignedInPerson])
        case signIn
        case twoFactor(PersonID, digits: String)
        /// The person showed who they are; the sheet asks what else there is to ask.
        case sheet(PersonID, authenticatedAt: Date)
    }

    let purpose: Purpose
    /// The browser that began it, the only one that may carry it on.
    let browser: BrowserMark
    let startedAt: Date
    /// The switches that the authorize request asked for.
    var switches: JSONObject = [:]
    var step: Step
    var failedAttemptCount = 0

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(startedAt) >= Self.lifetimeSeconds
    }
}

extension Transaction.Purpose {
    /// the authorize request; nil for the account page.
    var request: AuthorizationRequest? {
        switch self {
        case .app(let request): request
        case .account: nil
        }
    }

    /// What the request log calls a form that was wrong.
    var errorName: String {
        switch self {
        case .app: "sheet"
        case .account: "account"
        }
    }
}

/// A form that carries a transaction on, as the browser sent it.
struct SignInForm {
    var fields: FormFields
    let request: HTTPRequest

    var identifier: String { fields["transaction"] ?? "" }
    /// The address that was typed, as long as addresses are.
    var email: String { String((fields["email"] ?? "").prefix(254)) }
    var isSecure: Bool { request.scheme == "https" }
}

struct SignedInPerson: Hashable {
    var personID: PersonID
    var authenticatedAt: Date

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(authenticatedAt) >= BrowserSession.lifetimeSeconds
    }
}
