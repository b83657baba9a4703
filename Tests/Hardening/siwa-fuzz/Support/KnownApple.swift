import AppleIdentity
import Foundation
import HTTPTypes
import Logging

@testable import SignInWithApple

/// Apple with the keys it really signed with, at any time asked for.
///
/// The private keys are unknown here, so only Apple's own tokens can be accepted.
struct KnownApple {
    /// The clients that the real tokens are meant for.
    let clientIDs: Set<ClientID>
    private let keys: KeyCache

    init() throws {
        let document = try SeedFiles.knownKeys()
        let transport = AppleTransport { _, _ in
            .init(head: HTTPResponse(status: .ok), body: document)
        }
        // The cache's own clock stands still: the keys are always fresh, nothing is fetched twice.
        let time = ManualTime().source
        keys = KeyCache(
            exchange: AppleExchange(service: .apple, transport: transport, time: time),
            time: time,
            logger: Logger(label: "siwa-fuzz") { _ in SwiftLogNoOpLogHandler() }
        )
        // From here on, unknown keys are no longer fetched, so all of them have the same result.
        let keys = keys
        InlineTask.run {
            for _ in 0...KeyFetchBudget.maximumCount { _ = try? await keys.key(named: "unknown") }
        }
        clientIDs = try Set(
            (SeedFiles.tokens() + SeedFiles.notifications()).compactMap { token in
                UnverifiedClaims(token).audience.map(ClientID.init(rawValue:))
            }
        )
    }

    func verifier(at now: Date) -> IdentityTokenVerifier {
        IdentityTokenVerifier(
            keys: keys,
            issuer: AppleService.appleIssuer,
            clientIDs: clientIDs,
            relayDomains: .apple,
            time: ManualTime(now: now).source
        )
    }

    func notificationVerifier(at now: Date) -> NotificationVerifier {
        NotificationVerifier(
            keys: keys,
            issuer: AppleService.appleIssuer,
            clientIDs: clientIDs,
            time: ManualTime(now: now).source
        )
    }
}

/// The content of a token as read only by Foundation, as an independent check of the library.
struct UnverifiedClaims {
    let audience: String?
    /// A moment after the one the token names as its beginning, or any when it names none.
    let time: Date

    init(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let payload = parts.dropFirst().first.flatMap { FoundationBase64.decode(String($0)) }
        let claims = payload.flatMap {
            try? JSONSerialization.jsonObject(with: $0) as? [String: Any]
        }
        audience = claims?["aud"] as? String
        let issuedAt = (claims?["iat"] as? NSNumber)?.doubleValue ?? 0
        time = Date(timeIntervalSince1970: issuedAt.isFinite ? issuedAt + 1 : 0)
    }
}
