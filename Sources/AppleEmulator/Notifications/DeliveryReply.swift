import Foundation

/// What came of one attempt to deliver a notification.
public enum DeliveryReply: Hashable, Sendable {
    /// The server answered, with at least the first bytes of its body.
    case answer(status: Int, body: Data)
    /// There was no answer; why, in a few words.
    case failure(String)
}
