import Fluent
import Vapor

/// A notification that was acted on: Apple may send it again.
final class HandledNotification: Model, @unchecked Sendable {
    static let schema = "handled_notifications"

    /// Apple's name for it.
    @ID(custom: "id", generatedBy: .user) var id: String?
    @Field(key: "expires_at") var expiresAt: Date

    init() {}

    init(id: String, expiresAt: Date) {
        self.id = id
        self.expiresAt = expiresAt
    }
}
