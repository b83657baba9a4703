import AppleIdentity
import Foundation

/// A sign-in method of the accounts server.
public enum SignInMethod: String, Hashable, Sendable, CaseIterable {
    /// Sign in with Apple.
    case apple
    /// A username and a password.
    case password
}

/// What the accounts server offers at the sign-in: `GET /api/sign-in-methods`.
public struct SignInOffer: Hashable, Sendable {
    /// The methods; those that this version does not know are left out.
    public var methods: Set<SignInMethod> = [.apple]
    /// The team's logo (`SIWA_BRAND_LOGO`).
    public var logo: URL?
    /// The terms of use (`SIWA_TERMS_URL`).
    public var terms: URL?
    /// The privacy policy (`SIWA_PRIVACY_URL`).
    public var privacy: URL?
}

extension SignInOffer {
    init(_ fields: JSONFields) throws(JSONFieldError) {
        let words = try fields.list("methods").compactMap(\.stringValue)
        methods = Set(words.compactMap(SignInMethod.init))
        logo = try Self.url(fields.optionalText("logo"))
        terms = try Self.url(fields.optionalText("termsURL"))
        privacy = try Self.url(fields.optionalText("privacyURL"))
    }

    /// Links of another scheme could open another app.
    private static func url(_ text: String?) -> URL? {
        text.flatMap { URL(string: $0) }.flatMap { ServerConnection.isSecure($0) ? $0 : nil }
    }
}
