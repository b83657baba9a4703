/// Why a store could not do what it was asked; nothing of it was done.
public struct AccountStoreError: Error, Hashable, Sendable {
    /// Whether waiting may help.
    public enum Kind: Hashable, Sendable {
        /// The store is busy, full, read-only or unreachable; the same call may succeed later.
        case unavailable
        /// The store is damaged, or was used wrongly.
        case failed
    }

    /// Whether waiting may help.
    public let kind: Kind
    /// What the database said, for the operator's log; never a value.
    public let hint: String

    /// Makes an error.
    public init(_ kind: Kind, hint: String) {
        self.kind = kind
        self.hint = hint
    }
}
