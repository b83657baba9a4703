import AppleIdentity
import Foundation
import HTTPTypes
import SignedTokens

/// One answer of Apple's keys endpoint.
///
/// Source: [Fetch Apple's public key](https://developer.apple.com/documentation/signinwithapplerestapi/fetch-apple_s-public-key-for-verifying-token-signature)
struct PublishedKeys {
    /// How long keys are kept at least and at most, in seconds, whatever Apple's answer says.
    static let lifetimeBounds: ClosedRange<TimeInterval> = 300...86_400
    /// How long keys are kept when the answer says nothing, in seconds.
    static let lifetimeDefault: TimeInterval = 3600

    let keys: [String: VerificationKey]
    let lifetimeSeconds: TimeInterval

    init(fetchedWith exchange: AppleExchange) async throws {
        let answer: AppleExchange.Answer
        do {
            answer = try await exchange.get(ApplePath.keys)
        } catch let error as SignInError {
            // A wrong address stays that; everything else is the keys' trouble.
            guard error.code != .configurationInvalid else { throw error }
            throw SignInError.keysUnavailable(error.hint)
        }
        guard answer.status == 200 else {
            throw SignInError.keysUnavailable("the keys endpoint answered \(answer.status)")
        }
        guard let document = try? JSONWebKeySet(json: answer.body) else {
            throw SignInError.keysUnavailable(
                "the keys endpoint answered with something else than keys"
            )
        }
        keys = document.verificationKeys().filter { $0.value.algorithm == .rs256 }
        guard !keys.isEmpty else {
            throw SignInError.keysUnavailable("the keys endpoint answered without a usable key")
        }
        lifetimeSeconds = Self.lifetime(from: answer.fields[.cacheControl])
    }

    /// RFC 9111, section 5.2.2.1: how long an answer may be kept.
    /// https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.1
    static func lifetime(from cacheControl: String?) -> TimeInterval {
        let directives = (cacheControl ?? "").lowercased().split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if directives.contains("no-store") || directives.contains("no-cache") {
            return lifetimeBounds.lowerBound
        }
        let age = directives.first { $0.hasPrefix("max-age=") }?
            .dropFirst("max-age=".count)
            .trimmingCharacters(in: ["\""])
        guard let seconds = age.flatMap(Int.init) else { return lifetimeDefault }
        return min(max(TimeInterval(seconds), lifetimeBounds.lowerBound), lifetimeBounds.upperBound)
    }
}

extension SignInError {
    fileprivate static func keysUnavailable(_ hint: String) -> SignInError {
        SignInError(.appleKeysUnavailable, hint: hint)
    }
}
