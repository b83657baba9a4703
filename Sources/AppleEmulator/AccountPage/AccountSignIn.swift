import Foundation

/// Somebody on the way into the account page; only the next step is legal.
struct AccountSignIn {
    /// How many may be on their way; the oldest goes first.
    static let maximumCount = 1_000
    /// How long a person may take, in seconds.
    static let lifetimeSeconds: TimeInterval = 600
    /// How many wrong passwords or digits end it.
    static let maximumAttemptCount = 5

    /// Where the person stands.
    enum Step {
        /// Address and password are asked.
        case password
        /// Six digits are asked.
        case twoFactor(PersonID, digits: String)
    }

    /// The browser that began it, the only one that may carry it on.
    let browser: BrowserMark
    let startedAt: Date
    var step = Step.password
    var failedAttemptCount = 0

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(startedAt) >= Self.lifetimeSeconds
    }

    func isOf(_ personID: PersonID) -> Bool {
        switch step {
        case .password: false
        case .twoFactor(let id, _): id == personID
        }
    }
}
