import AppleIdentity
import Foundation

/// A notification as it goes over the wire, and what it says.
struct SignedNotification {
    let clientID: ClientID
    let event: NotifiedEvent
    let defect: NotificationDefect?
    let claims: JSONObject
    /// The body of the request.
    let body: Data
}
