import Foundation

/// What Apple's migration endpoint asks for beside the client secret.
struct MigrationAccessToken: Sendable {
    /// How long before its end a token is replaced, in seconds.
    static let renewalLeadSeconds: TimeInterval = 60

    let text: String
    let expirationTime: Date

    func isUsable(at now: Date) -> Bool {
        now < expirationTime.addingTimeInterval(-Self.renewalLeadSeconds)
    }
}
