import Foundation

/// How an attempt to revoke ended.
public enum RevocationResult: Hashable, Sendable {
    /// Apple has revoked the token; the entry goes.
    case revoked
    /// Apple could not be reached or asked; the entry waits until then.
    case failed(code: String, nextAttemptAt: Date)
    /// Asking again changes nothing before a person has looked; the entry stays, visible.
    case refused(code: String)
}
