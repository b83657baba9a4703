import AppleIdentity
import Foundation

/// One authorization on its way through the sheet; only the next step is legal.
struct Transaction {
    /// How long a person may take, in seconds.
    static let lifetimeSeconds: TimeInterval = 600
    /// How many wrong passwords or digits end it.
    static let maximumAttemptCount = 5

    /// Where the person stands.
    enum Step {
        /// Several people are signed in; who shall it be?
        case chooser([SignedInPerson])
        /// Address and password are asked.
        case signIn
        /// Six digits are asked.
        case twoFactor(PersonID, digits: String)
        /// The sheet is shown.
        case sheet(PersonID, authenticatedAt: Date)
    }

    let request: AuthorizationRequest
    /// The browser that began it, the only one that may carry it on.
    let browser: BrowserMark
    let startedAt: Date
    /// The switches that the authorize request asked for.
    var switches: JSONObject = [:]
    var step: Step
    var failedAttemptCount = 0

    func isExpired(at time: Date) -> Bool {
        time.timeIntervalSince(startedAt) >= Self.lifetimeSeconds
    }
}
