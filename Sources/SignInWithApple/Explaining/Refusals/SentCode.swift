import Foundation

/// An authorization code that was sent, and what is known of its way.
struct SentCode: Sendable {
    let text: String
    let redirectURI: String?
    /// When it was there at the latest; nil when nobody said.
    let receivedAt: Date?
    /// The first of earlier sendings.
    let sentBefore: SentHistory.Sending?
}
