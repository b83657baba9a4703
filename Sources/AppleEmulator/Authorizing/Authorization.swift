import AppleIdentity
import Foundation

/// What a person's yes made: a code, and what goes with it.
struct Authorization {
    let code: String
    let grant: Grant
    let userID: UserID
    /// Whether the person met the app group for the first time.
    let isFirst: Bool
    let email: DisclosedEmail?
    /// The name as the person left it on the sheet.
    let name: PersonName
}

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
