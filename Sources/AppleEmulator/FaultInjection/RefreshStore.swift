import AppleIdentity
import Foundation

/// How often each person was refreshed by each client in the last day.
struct RefreshStore {
    /// Over how long refreshes are counted, in seconds.
    ///
    /// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapplerestapi/verifying-a-user)
    static let windowSeconds: TimeInterval = 86_400

    struct Pair: Hashable {
        var personID: PersonID
        var clientID: ClientID
    }

    /// When each person was last refreshed by each client.
    var times: [Pair: [Date]] = [:]

    /// How long to wait before the next refresh is let through, in seconds; nil counts this one.
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
