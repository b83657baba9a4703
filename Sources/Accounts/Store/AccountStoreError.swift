/// Why a store could not do what it was asked.
package struct AccountStoreError: Error, Hashable, Sendable {
    /// Whether waiting may help, and what is known of what was asked.
    package enum Kind: Hashable, Sendable {
        /// The store is busy, full, read-only or unreachable; nothing was done, and the same call may
        /// succeed later.
        case unavailable
        /// The store is damaged, or was used wrongly; nothing was done.
        case failed
        /// The commit's answer was lost: all of it was done, or nothing. The same call with the same
        /// identifiers finds out, and does it when it was not done.
        case outcomeUnknown
    }

    /// Whether waiting may help, and what is known of what was asked.
    package let kind: Kind
    /// What the database said, for the operator's log; never a value.
    package let hint: String

    package init(_ kind: Kind, hint: String) {
        self.kind = kind
        self.hint = hint
    }
}

extension AccountStoreError: CustomStringConvertible {
    /// The hint, which is a sentence for the operator.
    package var description: String { hint }
}
