import AppleIdentity
import Foundation

/// A notification as it goes over the wire, and what it says.
struct NotificationLetter {
    let clientID: ClientID
    let event: NotifiedEvent
    let flaw: NotificationFlaw?
    let claims: JSONObject
    /// The body of the request.
    let body: Data
}
