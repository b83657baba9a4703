import Foundation

extension IdentityTokenClaims {
    /// Claims read one by one, for a reader that does without a decoder.
    package struct Values {
        package var issuer: String?
        package var audience: String?
        package var expirationTime: Int?
        package var issuedAt: Int?
        package var notBefore: Int?
        package var subject: String?
        package var nonce: String?
        package var nonceSupported: Bool?
        package var codeHash: String?
        package var accessTokenHash: String?
        package var authenticationTime: Int?
        package var email: String?
        package var emailVerified: Bool?
        package var isPrivateEmail: Bool?
        package var realUserStatus: Int?
        package var transferSubject: String?
        package var organizationID: String?

        package init() {}
    }

    /// Makes the claims from values.
    ///
    /// Nil when a claim is missing that every token has.
    ///
    /// - Parameter values: what was read; times are seconds since 1970.
    package init?(_ values: consuming Values) {
        func date(_ seconds: Int?) -> Date? {
            seconds.map { Date(timeIntervalSince1970: Double($0)) }
        }
        guard let issuer = values.issuer, let audience = values.audience,
            let expirationTime = date(values.expirationTime),
            let issuedAt = date(values.issuedAt), let subject = values.subject
        else { return nil }
        self.issuer = issuer
        self.audience = Audience([ClientID(rawValue: audience)])
        self.expirationTime = expirationTime
        self.issuedAt = issuedAt
        notBefore = date(values.notBefore)
        self.subject = UserID(rawValue: subject)
        nonce = values.nonce
        nonceSupported = values.nonceSupported
        codeHash = values.codeHash
        accessTokenHash = values.accessTokenHash
        authenticationTime = date(values.authenticationTime)
        email = values.email?.isEmpty == true ? nil : values.email
        emailVerified = values.emailVerified
        isPrivateEmail = values.isPrivateEmail
        realUserStatus = values.realUserStatus.map(RealUserStatus.init)
        transferSubject = values.transferSubject.map(UserID.init(rawValue:))
        organizationID = values.organizationID
    }
}
