import AppleIdentity

/// A refusal or failure that can be shown, logged and answered.
///
/// Two errors are equal when their codes are.
public struct AccountsError: Error, Sendable {
    /// A stable word for programs.
    public struct Code: TextIdentifier {
        /// The word.
        public let rawValue: String

        /// Makes a code from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What happened, for programs.
    public let code: Code
    /// What happened, in a sentence that may be shown to anyone.
    public let message: String
    /// What to look at, for the operator's log; never a secret.
    public let hint: String
    /// The HTTP status that fits.
    public let status: Int
    /// Whether the same request may succeed later.
    public let isRetryable: Bool
    /// After how many seconds to try again, when that is known.
    public let retryAfter: Int?

    /// Makes an error.
    public init(
        code: Code,
        message: String,
        hint: String,
        status: Int,
        isRetryable: Bool = false,
        retryAfter: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.status = status
        self.isRetryable = isRetryable
        self.retryAfter = retryAfter
    }
}

extension AccountsError: Equatable {
    /// Compares the codes.
    public static func == (first: AccountsError, second: AccountsError) -> Bool {
        first.code == second.code
    }
}
