import AppleIdentity
import Foundation

/// What a code or token stands for: a person, for a client.
struct Grant: Hashable {
    var personID: PersonID = PersonID.nobody
    var clientID: ClientID = ""
    var group: ClientID = ""
    var teamID: TeamID = ""
    /// The nonce of the authorization, verbatim.
    var nonce: String?
    /// When the person showed who they are.
    var authenticatedAt: Date = .distantPast
    /// The switches that the authorization asked for; they count for all that comes of it.
    var switches: JSONObject = [:]
}
