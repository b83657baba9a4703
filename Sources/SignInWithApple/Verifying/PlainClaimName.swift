import SignedTokens

/// The names that ``PlainClaims`` knows.
enum PlainClaimName: UInt32 {
    case issuer
    case audience
    case expirationTime
    case issuedAt
    case subject
    case notBefore
    case nonce
    case nonceSupported
    case codeHash
    case accessTokenHash
    case authenticationTime
    case email
    case emailVerified
    case isPrivateEmail
    case realUserStatus
    case transferSubject
    case organizationID
    /// What a notification carries, and no value of this reader's.
    case events

    /// Several names.
    struct Set: OptionSet {
        let rawValue: UInt32

        /// The claims that every token has.
        static let required: Set = [
            PlainClaimName.issuer.member, PlainClaimName.audience.member,
            PlainClaimName.expirationTime.member, PlainClaimName.issuedAt.member,
            PlainClaimName.subject.member,
        ]
    }

    var member: Set { Set(rawValue: 1 << rawValue) }

    /// Tells a name from its bytes; nil when it is none of these.
    init?(_ name: FlatJSON.Text) {
        // The lengths of the names tell most of them apart, at the price of one comparison.
        switch name.count {
        case 3: self.init(registered: name)
        case 4...7: self.init(short: name)
        default: self.init(long: name)
        }
    }

    private init?(registered name: FlatJSON.Text) {
        if name.isSame(as: "iss") {
            self = .issuer
        } else if name.isSame(as: "aud") {
            self = .audience
        } else if name.isSame(as: "exp") {
            self = .expirationTime
        } else if name.isSame(as: "iat") {
            self = .issuedAt
        } else if name.isSame(as: "sub") {
            self = .subject
        } else if name.isSame(as: "nbf") {
            self = .notBefore
        } else {
            return nil
        }
    }

    private init?(short name: FlatJSON.Text) {
        if name.isSame(as: "email") {
            self = .email
        } else if name.isSame(as: "nonce") {
            self = .nonce
        } else if name.isSame(as: "c_hash") {
            self = .codeHash
        } else if name.isSame(as: "at_hash") {
            self = .accessTokenHash
        } else if name.isSame(as: "org_id") {
            self = .organizationID
        } else if name.isSame(as: "events") {
            self = .events
        } else {
            return nil
        }
    }

    private init?(long name: FlatJSON.Text) {
        if name.isSame(as: "auth_time") {
            self = .authenticationTime
        } else if name.isSame(as: "email_verified") {
            self = .emailVerified
        } else if name.isSame(as: "nonce_supported") {
            self = .nonceSupported
        } else if name.isSame(as: "is_private_email") {
            self = .isPrivateEmail
        } else if name.isSame(as: "real_user_status") {
            self = .realUserStatus
        } else if name.isSame(as: "transfer_sub") {
            self = .transferSubject
        } else {
            return nil
        }
    }
}
