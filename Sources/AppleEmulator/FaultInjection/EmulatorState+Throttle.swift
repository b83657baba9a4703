import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    /// Refuses to refresh a person too often, when switched on.
    ///
    /// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapplerestapi/verifying-a-user)
    /// speaks of once a day; that the answer is 429 or 503, with `Retry-After`, is assumed.
    mutating func throttle(_ grant: Grant, at time: Date) throws(OAuthRefusal) {
        guard let status = switches.throttledRefresh.status,
            let wait = refreshes.wait(
                for: grant,
                maximumCount: switches.refreshesPerDay,
                at: time
            )
        else { return }
        var refusal = OAuthRefusal(
            .temporarilyUnavailable,
            reason: "the person was refreshed \(switches.refreshesPerDay) times within a day,"
                + " and the switch throttled_refresh is on",
            hint: "refresh once a day at most; try again in \(wait) seconds"
        )
        refusal.status = status
        refusal.retryAfterSeconds = wait
        throw refusal
    }
}

extension EmulatorSwitches.ThrottledRefresh {
    fileprivate var status: HTTPResponse.Status? {
        switch self {
        case .never: nil
        case .tooManyRequests: .tooManyRequests
        case .serviceUnavailable: .serviceUnavailable
        }
    }
}
