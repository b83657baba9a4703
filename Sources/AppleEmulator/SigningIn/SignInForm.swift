import Foundation
import HTTPTypes

/// A form that carries a transaction on, as the browser sent it.
struct SignInForm {
    var fields: FormFields
    let request: HTTPRequest
    let time: Date

    /// The transaction it belongs to.
    var identifier: String { fields["transaction"] ?? "" }
    /// The address that was typed, as long as addresses are.
    var email: String { String((fields["email"] ?? "").prefix(254)) }
    /// Whether the browser came by https.
    var isSecure: Bool { request.scheme == "https" }
}

/// A person who showed in a browser who they are.
struct SignedInPerson: Hashable {
    var personID: PersonID
    var authenticatedAt: Date

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(authenticatedAt) >= BrowserSession.lifetimeSeconds
    }
}
