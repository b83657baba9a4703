import AppleIdentity
import Foundation

/// What was sent to Apple, as far as it can tell why Apple refused.
struct SentRequest: Sendable {
    enum Purpose: Sendable {
        case code(String, redirectURI: String?, sentBefore: Date?)
        case token(String)
    }

    let purpose: Purpose
    let client: ClientCredentials
    /// The audience that Apple expects in a client secret.
    let audience: String
    /// Which clients are Services IDs; nil when nobody said.
    let servicesIDs: Set<ClientID>?
    /// The clients whose requests Apple granted since the start.
    let acceptedClients: Set<ClientID>
    /// The time by this server's clock.
    let time: Date
}
