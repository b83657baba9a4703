import AppleIdentity
import Foundation

/// What a person agreed to when they first met an app group.
struct Consent: Hashable {
    /// What an app may know of the person's address.
    enum Email: String, CaseIterable {
        case share, hide, none
    }

    /// The client they met first.
    var clientID: ClientID = ""
    /// Which address the app may know; none when it did not ask for the `email` scope.
    var email = Email.none
    /// The address they chose to share; nil when they hide it.
    var sharedEmail: String?
    /// The name they let the app know; nil when it did not ask for one.
    var sharedName: PersonName?
    /// When they agreed.
    var grantedAt: Date = .distantPast
    /// When they last signed in to an app of the group.
    var usedAt: Date = .distantPast
}

/// What a device would be told of a person and an app.
package enum CredentialState: String, Sendable {
    case revoked, authorized
    case notFound = "not_found"
    case transferred

    /// The number that Apple's systems give the state.
    ///
    /// Source: [Credential state](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidprovider/credentialstate)
    /// has the names; the numbers were seen in libraries for apps.
    package var number: Int {
        switch self {
        case .revoked: 0
        case .authorized: 1
        case .notFound: 2
        case .transferred: 3
        }
    }
}
