import AppleIdentity
import Foundation

/// Whether a refusal to refresh says that the person ended the relation with the app.
///
/// Whoever is told so is signed out. Only Apple's words decide, and what was sent: what may have
/// caused a refusal is explained afterwards, and has no say here.
enum RevocationVerdict {
    static func isRevocation(_ refusal: OAuthErrorResponse, of token: String) -> Bool {
        // Another kind of token in its place is this server's mistake, and says nothing about the
        // person. Apple has the same sentence for it.
        guard [nil, .refreshToken].contains(AppleTextForm(token)) else { return false }
        switch refusal.error {
        // A bare invalid_grant can mean another client as well.
        case .invalidGrant: return AppleSentence(refusal.errorDescription) == .tokenExpired
        // TN3107 names two reasons: the form of the request, which a proxy may have rewritten, or
        // that the person revoked the client.
        // https://developer.apple.com/documentation/technotes/tn3107-resolving-sign-in-with-apple-response-errors
        case .invalidRequest:
            return refusal.errorDescription?.lowercased().contains("revoked") == true
        default: return false
        }
    }
}

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

/// Apple's sentences in `error_description`, which is undocumented, and often missing.
enum AppleSentence: String, CaseIterable {
    case codeUsed = "code has already been used"
    case codeExpired = "code has expired"
    case clientMismatch = "client_id mismatch"
    case redirectMismatch = "redirect_uri mismatch"
    case tokenExpired = "token has expired"

    /// Recognizes a sentence by the words that have stayed the same over the years.
    init?(_ description: String?) {
        let text = (description ?? "").lowercased()
        guard let known = Self.allCases.first(where: { text.contains($0.rawValue) }) else {
            return nil
        }
        self = known
    }
}

/// What Apple's codes and tokens are recognized by: a letter, 32 hexadecimal digits and a dot.
///
/// The form is observed, not documented: nothing is refused by it, and nobody signed out.
enum AppleTextForm: String {
    case code = "an authorization code"
    case accessToken = "an access token"
    case refreshToken = "a refresh token"
    case identityToken = "an identity token"

    init?(_ text: String) {
        if text.hasPrefix("eyJ") {
            self = .identityToken
            return
        }
        guard text.prefixMatch(of: /[acr][0-9a-f]{32}\./) != nil else { return nil }
        switch text.first {
        case "c": self = .code
        case "a": self = .accessToken
        default: self = .refreshToken
        }
    }
}
