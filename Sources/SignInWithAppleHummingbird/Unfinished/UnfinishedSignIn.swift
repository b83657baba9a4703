import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import SignInWithApple

/// What the client of a failed sign-in keeps, sealed in cookies, until the same person signs in.
///
/// Apple tells the name once and redeems a code once. The cookies come back with the repeated request,
/// whichever replica gets it; the name also with a later sign-in.
struct UnfinishedSignIn {
    /// What was redeemed, and until when it may be used.
    private struct Redemption: Codable {
        let grant: UnverifiedGrant
        let endsAt: Date
    }

    /// What the person wrote at Apple's page, now or at an attempt that failed.
    let name: PersonName?
    /// What Apple gave for this code at an attempt that failed.
    var grant: UnverifiedGrant?

    private let nameCookie: SealedCookie
    private let grantCookie: SealedCookie
    private let isKnown: (name: Bool, grant: Bool)

    /// Finds what an earlier attempt left.
    init(_ proven: ProvenSignIn, in request: Request, sealer: TokenSealer, now: Date) {
        let person = [proven.identity.issuer, proven.identity.user.rawValue]
        let nameCookie = SealedCookie(
            prefix: "__Host-siwa-name-",
            context: SealingContext(purpose: "name", parts: person),
            lifetime: UnfinishedLimits.nameSeconds,
            sealer: sealer
        )
        let grantCookie = SealedCookie(
            prefix: "__Host-siwa-redeemed-",
            context: SealingContext(
                purpose: "redeemed code",
                parts: person + [proven.identity.clientID.rawValue, proven.code ?? ""]
            ),
            lifetime: UnfinishedLimits.grantSeconds,
            sealer: sealer
        )
        name = proven.name ?? nameCookie.value(in: request)
        let redemption: Redemption? = grantCookie.value(in: request)
        grant = redemption.flatMap { $0.endsAt > now ? $0.grant : nil }
        self.nameCookie = nameCookie
        self.grantCookie = grantCookie
        isKnown = (nameCookie.isPart(of: request), grantCookie.isPart(of: request))
    }

    /// The cookies of a sign-in that failed.
    func kept(now: Date) throws -> [HTTPField] {
        let endsAt = now.addingTimeInterval(TimeInterval(UnfinishedLimits.grantSeconds))
        return [
            try name.map { try nameCookie.field($0.clipped) },
            try grant.map { try grantCookie.field(Redemption(grant: $0, endsAt: endsAt)) },
        ]
        .compactMap(\.self)
    }

    /// What ends the cookies of earlier attempts.
    var cleared: [HTTPField] {
        [
            isKnown.name ? nameCookie.cleared : nil,
            isKnown.grant ? grantCookie.cleared : nil,
        ]
        .compactMap(\.self)
    }
}

extension PersonName {
    /// As much of the name as a cookie has room for.
    fileprivate var clipped: PersonName {
        PersonName(
            givenName: givenName.map(Self.clip),
            familyName: familyName.map(Self.clip)
        )
    }

    private static func clip(_ text: String) -> String {
        var byteCount = 0
        return String(
            text.prefix { character in
                byteCount += character.utf8.count
                return byteCount <= UnfinishedLimits.maximumNamePartByteCount
            }
        )
    }
}
