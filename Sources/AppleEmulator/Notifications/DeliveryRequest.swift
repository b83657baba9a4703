import Foundation

/// A notification on its way to a developer's server: one attempt.
public struct DeliveryRequest: Hashable, Sendable {
    /// Names the delivery, also where numbers begin again after a reset.
    public let id: UUID
    /// The delivery's number in the list of notifications.
    public let number: Int
    /// Where to post the body.
    public let url: String
    /// The JSON with the signed notification, as it goes over the wire.
    public let body: Data
}
