import Foundation

/// A token that is good for nothing but moving people between teams, and for revoking.
struct AccessToken {
    /// How long it is good for, in seconds.
    static let lifetimeSeconds = 3_600

    var grant: Grant = Grant()
    var issuedAt: Date = .distantPast

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(issuedAt) >= TimeInterval(Self.lifetimeSeconds)
    }
}
