/// What the server remembers of a ceremony besides what every ceremony has.
struct SignInNote: Codable, Sendable {
    let goal: SignInGoal
    /// The session the browser had when it began: the callback comes from another site, without
    /// the session's cookie, and that session has to end when a new one begins.
    let previousSessionToken: String?
}
