import Accounts
import Foundation

/// One sign-in under way in one tab: what was sent to Apple, kept by the browser, sealed.
struct Ceremony: Codable, Sendable {
    let state: CeremonyState
    let nonce: String
    let redirectURI: String
    let goal: SignInGoal
    /// The session the browser had when it began: the callback comes from another site, without
    /// the session's cookie, and that session has to end when a new one begins.
    let previousSessionToken: String?

    init(origin: WebOrigin, goal: SignInGoal, previousSessionToken: String?, now: Date) {
        state = CeremonyState(now: now)
        nonce = SecureRandom.hexadecimal(byteCount: 32)
        redirectURI = origin.redirectURI
        self.goal = goal
        self.previousSessionToken = previousSessionToken
    }
}
