/// What a JSON text may cost whoever reads it.
package struct JSONLimits: Hashable, Sendable {
    /// The longest text read, in bytes.
    package var maximumByteCount: Int
    /// How deeply arrays and objects may be nested.
    package var maximumDepth: Int
    /// The most members of one object.
    package var maximumMemberCount: Int

    package init(maximumByteCount: Int, maximumDepth: Int = 16, maximumMemberCount: Int = 1024) {
        self.maximumByteCount = maximumByteCount
        self.maximumDepth = maximumDepth
        self.maximumMemberCount = maximumMemberCount
    }

    /// For what somebody sends: nothing in this field needs more than four levels.
    package static let message = JSONLimits(maximumByteCount: 1024 * 1024)
}
