import Foundation

extension IdentityTokenClaims {
    /// Reads claims as Apple has sent them since 2019; a notification is ``ClaimsError/otherKind``.
    package init(_ payload: UnsafeBufferPointer<UInt8>) throws(ClaimsError) {
        self.init()
        var reading = IdentityTokenClaimsReading()
        do {
            try JSONReader.read(payload) { reader throws(JSONError) in
                try reading.read(&reader, into: &self)
            }
        } catch {
            throw .unreadable(error)
        }
        try reading.check()
    }

    package init(parsing payload: Data) throws(ClaimsError) {
        let reading = payload.withUnsafeBytes { bytes in
            Result { () throws(ClaimsError) in
                try IdentityTokenClaims(bytes.bindMemory(to: UInt8.self))
            }
        }
        self = try reading.get()
    }
}

private struct IdentityTokenClaimsReading {
    /// The claims that every token has.
    private struct Required: OptionSet {
        let rawValue: UInt8

        static let issuer = Required(rawValue: 1)
        static let audience = Required(rawValue: 2)
        static let expirationTime = Required(rawValue: 4)
        static let issuedAt = Required(rawValue: 8)
        static let subject = Required(rawValue: 16)

        static let names: [(Required, String)] = [
            (.issuer, "iss"), (.audience, "aud"), (.expirationTime, "exp"), (.issuedAt, "iat"),
            (.subject, "sub"),
        ]
    }

    private var found: Required = []
    private var isNotification = false
    private var wrongName: String?

    mutating func read(
        _ reader: inout JSONReader,
        into claims: inout IdentityTokenClaims
    ) throws(JSONError) {
        try reader.beginObject()
        while let name = try reader.nextName() {
            let value = try reader.value()
            guard !readMember(name, value, into: &claims), !value.isNull, wrongName == nil else {
                continue
            }
            wrongName = name.string
        }
    }

    func check() throws(ClaimsError) {
        // RFC 8725, section 3.12: rules for different kinds of tokens must exclude each other.
        // https://www.rfc-editor.org/rfc/rfc8725#section-3.12
        guard !isNotification else { throw .otherKind }
        if let wrongName { throw .wrongType(wrongName) }
        for (claim, name) in Required.names where !found.contains(claim) { throw .missing(name) }
    }

    /// Stores a claim; false if it has the wrong type or is null.
    private mutating func readMember(
        _ name: JSONText,
        _ value: JSONValue,
        into claims: inout IdentityTokenClaims
    ) -> Bool {
        switch name {
        case "iss": fill(&claims.issuer, value.stringValue, .issuer)
        case "aud": fill(&claims.audience, Audience(value), .audience)
        case "exp": fill(&claims.expirationTime, value.timeValue, .expirationTime)
        case "iat": fill(&claims.issuedAt, value.timeValue, .issuedAt)
        case "sub": fill(&claims.subject, value.stringValue.map(UserID.init(rawValue:)), .subject)
        case "nbf": claims.notBefore.fill(value.timeValue)
        case "email": takeEmail(value, into: &claims)
        case "nonce": claims.nonce.fill(value.stringValue)
        case "c_hash": claims.codeHash.fill(value.stringValue)
        case "at_hash": claims.accessTokenHash.fill(value.stringValue)
        case "auth_time": claims.authenticationTime.fill(value.timeValue)
        case "email_verified": claims.emailVerified.fill(value.lenientBooleanValue)
        case "is_private_email": claims.isPrivateEmail.fill(value.lenientBooleanValue)
        case "nonce_supported": claims.nonceSupported.fill(value.lenientBooleanValue)
        case "org_id": claims.organizationID.fill(value.stringValue)
        case "transfer_sub": claims.transferSubject.fill(value.stringValue.map(UserID.init))
        default: takeOther(name, value, into: &claims)
        }
    }

    private mutating func takeOther(
        _ name: JSONText,
        _ value: JSONValue,
        into claims: inout IdentityTokenClaims
    ) -> Bool {
        switch name {
        // A status of the wrong type is not a reason to reject a user: it is only a hint.
        case "real_user_status":
            claims.realUserStatus = value.integerValue.map(RealUserStatus.init(rawValue:))
        case "events": isNotification = true
        default: break
        }
        return true
    }

    /// Stores the email address; an empty one counts as missing.
    private func takeEmail(_ value: JSONValue, into claims: inout IdentityTokenClaims) -> Bool {
        let email = value.stringValue
        claims.email = email?.isEmpty == true ? nil : email
        return email != nil
    }

    private mutating func fill<Claim>(
        _ claim: inout Claim,
        _ content: Claim?,
        _ required: Required
    ) -> Bool {
        guard let content else { return false }
        claim = content
        found.insert(required)
        return true
    }
}
