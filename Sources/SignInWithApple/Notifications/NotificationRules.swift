import AppleIdentity
import Foundation

/// What a notification's claims are held against.
struct NotificationRules {
    /// The longest name of a notification, in bytes; Apple's have 22.
    static let maximumNotificationIDByteCount = 255

    let issuer: String
    let clientIDs: Set<ClientID>
    let now: Date
}
