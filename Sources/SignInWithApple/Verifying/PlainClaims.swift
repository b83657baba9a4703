import AppleIdentity
import Foundation
import SignedTokens

/// Reads the claims of an identity token in the form Apple sends them, without a decoder.
///
/// What is not of that form, or not acceptable, is left to ``SignedClaims``, which alone refuses.
struct PlainClaims {
    private typealias Text = FlatJSON.Text
    private typealias Value = FlatJSON.Value

    private var met: PlainClaimName.Set = []
    private var unknownNames = UnknownNames()

    /// Reads claims.
    ///
    /// - Parameter payload: a token's payload.
    /// - Returns: the claims as ``SignedClaims`` would decode them; nil when only it can judge them.
    static func read(_ payload: UnsafeBufferPointer<UInt8>) -> IdentityTokenClaims? {
        var members = FlatJSON(payload)
        var reader = PlainClaims()
        var claims = IdentityTokenClaims()
        while true {
            switch members.next() {
            case .end: return reader.met.isSuperset(of: .required) ? claims : nil
            case .unusual: return nil
            case .member(let name, let value):
                guard reader.take(name, value, into: &claims) else { return nil }
            }
        }
    }

    /// Takes a claim; false when it is there twice, of an unusual type, or a notification's.
    private mutating func take(
        _ name: Text,
        _ value: Value,
        into claims: inout IdentityTokenClaims
    ) -> Bool {
        guard let name = PlainClaimName(name) else { return unknownNames.insert(name) }
        guard met.insert(name.member).inserted else { return false }
        switch value {
        case .text(let text): return claims.take(name, text)
        case .number(let number): return claims.take(name, number)
        case .boolean(let boolean): return claims.take(name, boolean)
        }
    }
}

extension IdentityTokenClaims {
    fileprivate mutating func take(_ name: PlainClaimName, _ text: FlatJSON.Text) -> Bool {
        switch name {
        case .issuer: issuer = Self.string(text)
        case .audience: audience = Audience([ClientID(rawValue: Self.string(text))])
        case .subject: subject = UserID(rawValue: Self.string(text))
        case .nonce: nonce = Self.string(text)
        case .codeHash: codeHash = Self.string(text)
        case .accessTokenHash: accessTokenHash = Self.string(text)
        case .email: email = text.isEmpty ? nil : Self.string(text)
        case .transferSubject: transferSubject = UserID(rawValue: Self.string(text))
        case .organizationID: organizationID = Self.string(text)
        default:
            // Until February 2024 Apple sent truth values as texts.
            if text.isSame(as: "true") { return take(name, true) }
            return text.isSame(as: "false") && take(name, false)
        }
        return true
    }

    fileprivate mutating func take(_ name: PlainClaimName, _ number: Int) -> Bool {
        let date = Date(timeIntervalSince1970: Double(number))
        switch name {
        case .expirationTime: expirationTime = date
        case .issuedAt: issuedAt = date
        case .notBefore: notBefore = date
        case .authenticationTime: authenticationTime = date
        case .realUserStatus: realUserStatus = RealUserStatus(rawValue: number)
        default: return false
        }
        return true
    }

    fileprivate mutating func take(_ name: PlainClaimName, _ boolean: Bool) -> Bool {
        switch name {
        case .emailVerified: emailVerified = boolean
        case .isPrivateEmail: isPrivateEmail = boolean
        case .nonceSupported: nonceSupported = boolean
        default: return false
        }
        return true
    }

    private static func string(_ text: FlatJSON.Text) -> String {
        String(decoding: text, as: UTF8.self)
    }
}
