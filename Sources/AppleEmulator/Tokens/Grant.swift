import AppleIdentity
import Foundation

/// What a code or token stands for: a person, for a client.
struct Grant: Hashable {
    let personID: PersonID
    let clientID: ClientID
    let group: ClientID
    let teamID: TeamID
    /// The nonce of the authorization, verbatim.
    let nonce: String?
    /// When the person showed who they are.
    let authenticatedAt: Date
    /// The switches that the authorization asked for; they count for all that comes of it.
    var switches: JSONObject = [:]
}
