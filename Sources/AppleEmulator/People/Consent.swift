import AppleIdentity
import Foundation

/// What a person agreed to when they first met an app group.
struct Consent: Hashable {
    /// The client they met first.
    let clientID: ClientID
    /// Whether the app may know an address: the `email` scope was asked.
    let grantsEmail: Bool
    /// Whether that address is the relay address.
    let hidesEmail: Bool
    /// The address they chose to share; nil when they hide it.
    let sharedEmail: String?
    /// The name they let the app know; nil when it did not ask for one.
    let sharedName: PersonName?
    /// When they agreed.
    let grantedAt: Date
    /// When they last signed in to an app of the group.
    var usedAt: Date
}
