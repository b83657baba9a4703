import AppleIdentity
import Foundation
import SignedTokens

/// Reads the claims of an identity token in the form Apple sends them, without a decoder.
///
/// What is not of that form, or not acceptable, is left to ``SignedClaims``, which alone refuses.
struct PlainClaims {
    private typealias Text = FlatJSON.Text
    private typealias Value = FlatJSON.Value

    private var values = IdentityTokenClaims.Values()

    /// Reads claims.
    ///
    /// - Parameter payload: a token's payload.
    /// - Returns: the claims as ``SignedClaims`` would decode them; nil when only it can judge them.
    static func read(_ payload: Data) -> IdentityTokenClaims? {
        payload.withUnsafeBytes { bytes in read(bytes.bindMemory(to: UInt8.self)) }
    }

    private static func read(_ payload: UnsafeBufferPointer<UInt8>) -> IdentityTokenClaims? {
        var members = FlatJSON(payload)
        var claims = PlainClaims()
        while true {
            switch members.next() {
            case .end: return IdentityTokenClaims(claims.values)
            case .unusual: return nil
            case .member(let name, let value):
                guard claims.take(name, value) else { return nil }
            }
        }
    }

    /// Takes a claim; false when it is there twice, of an unusual type, or a notification's.
    private mutating func take(_ name: Text, _ value: Value) -> Bool {
        // The lengths of the names tell most of them apart, at the price of one comparison.
        switch name.count {
        case 3: takeRegistered(name, value)
        case 4...7: takeShort(name, value)
        default: takeLong(name, value)
        }
    }

    private mutating func takeRegistered(_ name: Text, _ value: Value) -> Bool {
        if name.isSame(as: "iss") { return Self.fill(&values.issuer, Self.text(value)) }
        if name.isSame(as: "aud") { return Self.fill(&values.audience, Self.text(value)) }
        if name.isSame(as: "exp") { return Self.fill(&values.expirationTime, Self.number(value)) }
        if name.isSame(as: "iat") { return Self.fill(&values.issuedAt, Self.number(value)) }
        if name.isSame(as: "sub") { return Self.fill(&values.subject, Self.text(value)) }
        if name.isSame(as: "nbf") { return Self.fill(&values.notBefore, Self.number(value)) }
        return true
    }

    private mutating func takeShort(_ name: Text, _ value: Value) -> Bool {
        if name.isSame(as: "email") { return Self.fill(&values.email, Self.text(value)) }
        if name.isSame(as: "nonce") { return Self.fill(&values.nonce, Self.text(value)) }
        if name.isSame(as: "c_hash") { return Self.fill(&values.codeHash, Self.text(value)) }
        if name.isSame(as: "at_hash") {
            return Self.fill(&values.accessTokenHash, Self.text(value))
        }
        if name.isSame(as: "org_id") { return Self.fill(&values.organizationID, Self.text(value)) }
        return !name.isSame(as: "events")
    }

    private mutating func takeLong(_ name: Text, _ value: Value) -> Bool {
        if name.isSame(as: "auth_time") {
            return Self.fill(&values.authenticationTime, Self.number(value))
        }
        if name.isSame(as: "email_verified") {
            return Self.fill(&values.emailVerified, Self.boolean(value))
        }
        if name.isSame(as: "nonce_supported") {
            return Self.fill(&values.nonceSupported, Self.boolean(value))
        }
        if name.isSame(as: "is_private_email") {
            return Self.fill(&values.isPrivateEmail, Self.boolean(value))
        }
        if name.isSame(as: "real_user_status") {
            return Self.fill(&values.realUserStatus, Self.number(value))
        }
        if name.isSame(as: "transfer_sub") {
            return Self.fill(&values.transferSubject, Self.text(value))
        }
        return true
    }

    private static func fill<Claim>(_ claim: inout Claim?, _ value: Claim?) -> Bool {
        guard claim == nil, let value else { return false }
        claim = value
        return true
    }

    private static func text(_ value: Value) -> String? {
        guard case .text(let text) = value else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    private static func number(_ value: Value) -> Int? {
        guard case .number(let number) = value else { return nil }
        return number
    }

    /// Until February 2024 Apple sent truth values as texts.
    private static func boolean(_ value: Value) -> Bool? {
        switch value {
        case .boolean(let boolean): boolean
        case .text(let text) where text.isSame(as: "true"): true
        case .text(let text) where text.isSame(as: "false"): false
        default: nil
        }
    }
}
