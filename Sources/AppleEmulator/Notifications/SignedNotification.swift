import AppleIdentity
import Foundation

/// A notification as it goes over the wire, and what it says.
struct SignedNotification {
    var clientID: ClientID = ""
    var event = NotifiedEvent()
    var defect: NotificationDefect?
    var claims: JSONObject = [:]
    /// The body of the request.
    var body: Data = Data()
}
