import Foundation

/// What is known of a refresh token: whether the person still uses the app.
///
/// Keep one `Date` beside each refresh token, when it was checked last; redeeming a code counts as
/// the first check.
public enum RefreshValidation: Sendable, Hashable {
    /// It was checked less than a day ago: Apple was not asked, and nothing changes.
    case fresh(nextCheck: Date)
    /// Apple says that it is good; keep the time as that of the last check.
    case valid(AppleGrant, checkedAt: Date)
    /// Apple says that it is not good any more: the person stopped using the app, changed the
    /// password of the Apple Account, or deleted it. The error tells Apple's words and the causes.
    case revoked(SignInError)

    /// How long the answer to one check counts: Apple may throttle who asks more often.
    ///
    /// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapple/verifying-a-user)
    public static let interval = Duration.seconds(86_400)

    /// The check that is not needed yet; nil when it is time for one.
    ///
    /// A time that lies ahead by less than a day comes from another server's clock and counts; one
    /// further ahead is a mistake, and is fixed by a check.
    init?(lastChecked: Date, now: Date) {
        let interval = Self.interval / .seconds(1)
        guard abs(now.timeIntervalSince(lastChecked)) < interval else { return nil }
        self = .fresh(nextCheck: lastChecked.addingTimeInterval(interval))
    }
}
