import AppleIdentity
import Foundation

/// What a person says yes to, and how.
struct AuthorizationDraft {
    let client: RegisteredClient
    let scopes: Set<Scope>
    var nonce: String?
    var redirectURI: String?
    var codeChallenge: String?
    let authenticatedAt: Date
    let choice: PersonChoice
}
