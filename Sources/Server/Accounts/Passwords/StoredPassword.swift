import Foundation

/// A password as a store keeps it.
package struct StoredPassword: Codable, Hashable, Sendable {
    package internal(set) var account: AccountID
    /// The hash with its salt and parameters.
    package internal(set) var hash: String
    /// When it was set.
    package internal(set) var changedAt: Date
}
