import AppleIdentity
import Foundation
import HTTPTypes

/// The times of recent refreshes, for each person and client.
struct RefreshStore {
    /// The period in which refreshes are counted, in seconds.
    ///
    /// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapplerestapi/verifying-a-user)
    static let windowSeconds: TimeInterval = 86_400

    struct Pair: Hashable {
        var personID: PersonID
        var clientID: ClientID
    }

    var times: [Pair: [Date]] = [:]

    /// The seconds until the next refresh is allowed; nil allows and counts this one.
    mutating func wait(for grant: Grant, maximumCount: Int, at time: Date) -> Int? {
        let pair = Pair(personID: grant.personID, clientID: grant.clientID)
        let recent = times[pair, default: []].filter {
            (0..<Self.windowSeconds).contains(time.timeIntervalSince($0))
        }
        if recent.count >= maximumCount, let first = recent.first {
            times[pair] = recent
            return Int((Self.windowSeconds - time.timeIntervalSince(first)).rounded(.up))
        }
        if times.count >= GrantStore.maximumTokenCount { times = [:] }
        times[pair] = recent + [time]
        return nil
    }
}

extension EmulatorState {
    /// Refuses too many refreshes, if the switch is on.
    ///
    /// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapplerestapi/verifying-a-user)
    /// says once a day. That the response is 429 or 503, with `Retry-After`, is an assumption.
    mutating func throttle(_ grant: Grant) throws(OAuthRefusal) {
        guard let status = switches.throttledRefresh.status,
            let wait = refreshes.wait(for: grant, maximumCount: switches.refreshesPerDay, at: now)
        else { return }
        var refusal = OAuthRefusal(
            .temporarilyUnavailable,
            reason: "the token was refreshed \(switches.refreshesPerDay) times within a day,"
                + " and the switch throttled_refresh is on"
        )
        .hint("refresh at most once a day; try again in \(wait) seconds")
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
