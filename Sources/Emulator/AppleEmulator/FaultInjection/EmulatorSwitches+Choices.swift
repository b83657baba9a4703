/// The values of a switch, each with a label for people.
protocol SwitchChoice: RawRepresentable<String>, CaseIterable, Sendable {
    /// The effect of the value in a few words; seeds and the control API use the raw value.
    var label: String { get }
}

extension EmulatorSwitches {
    enum Discovery: String, SwitchChoice {
        case usual
        /// As for some hours in June 2025: issuer and endpoints on `account.apple.com`.
        case moved

        var label: String {
            switch self {
            case .usual: "On its usual host"
            case .moved: "Moved to account.apple.com"
            }
        }
    }

    enum KeyOrder: String, SwitchChoice {
        case fixed, changing

        var label: String {
            switch self {
            case .fixed: "The keys keep their order"
            case .changing: "The order changes each time"
            }
        }
    }

    enum BooleanClaims: String, SwitchChoice {
        case boolean
        /// As strings, as until February 2024.
        case text

        var label: String {
            switch self {
            case .boolean: "As true and false"
            case .text: "As the texts \"true\" and \"false\""
            }
        }
    }

    enum EmailClaim: String, SwitchChoice {
        case there, missing, empty

        var label: String {
            switch self {
            case .there: "Tokens have the address"
            case .missing: "Tokens have no email"
            case .empty: "The email is an empty text"
            }
        }
    }

    /// When `is_private_email` is included.
    enum PrivateEmailClaim: String, SwitchChoice {
        case whenTrue = "when_true"
        case always
        /// Never, not even for relay addresses, as in some tokens of 2024 and 2025.
        ///
        /// Source: [forum 808653](https://developer.apple.com/forums/thread/808653)
        case missing

        var label: String {
            switch self {
            case .whenTrue: "Only for relay addresses"
            case .always: "For every address"
            case .missing: "Never, even for relay addresses"
            }
        }
    }

    enum TokenType: String, SwitchChoice {
        case capital = "Bearer"
        case small = "bearer"

        var label: String {
            switch self {
            case .capital: "Bearer, with a capital letter"
            case .small: "bearer, in small letters"
            }
        }
    }

    enum ThrottledRefresh: String, SwitchChoice {
        case never
        case tooManyRequests = "429"
        case serviceUnavailable = "503"

        var label: String {
            switch self {
            case .never: "Every refresh is allowed"
            case .tooManyRequests: "429 Too Many Requests"
            case .serviceUnavailable: "503 Service Unavailable"
            }
        }
    }

    enum CodeReuse: String, SwitchChoice {
        case refused
        /// Refused, and the tokens of the first use are revoked.
        case revoking
        case accepted

        var label: String {
            switch self {
            case .refused: "A used code is refused"
            case .revoking: "Refused, and its tokens are revoked"
            case .accepted: "A used code is accepted"
            }
        }
    }

    /// The number of valid refresh tokens for a person and a client.
    enum RefreshTokens: String, SwitchChoice {
        case several, one

        var label: String {
            switch self {
            case .several: "Earlier ones stay valid"
            case .one: "Only the newest one is valid"
            }
        }
    }

    enum Requirement: String, SwitchChoice {
        case optional, required

        var label: String {
            switch self {
            case .optional: "Requests may leave it out"
            case .required: "Requests without it are refused"
            }
        }
    }

    /// The error codes to use where Apple's documentation and responses differ.
    enum ErrorCodes: String, SwitchChoice {
        case observed, documented

        var label: String {
            switch self {
            case .observed: "As Apple responds"
            case .documented: "As Apple documents them"
            }
        }
    }

    enum UnknownParameters: String, SwitchChoice {
        case ignored, refused

        var label: String {
            switch self {
            case .ignored: "They are ignored"
            case .refused: "The request is refused"
            }
        }
    }

    /// The domain of new relay addresses.
    enum RelayDomain: String, SwitchChoice {
        case privateRelay = "privaterelay.appleid.com"
        /// The domain for new addresses that Apple announced in June 2026.
        case privateICloud = "private.icloud.com"
        case iCloud = "icloud.com"

        /// Whether the domain has only relay addresses; at `icloud.com` people have mailboxes.
        var isOnlyForRelays: Bool { self != .iCloud }

        /// The domain itself, which needs no other words.
        var label: String { rawValue }
    }
}
