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
    /// What the person chose the first time; later it has no effect.
    let hidesEmail: Bool
    /// The name the person left on the sheet; nil leaves the account's.
    let name: PersonName?
}
