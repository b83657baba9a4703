/// The reason why a string is not acceptable JSON, and the position.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// The text is longer than this, in bytes.
        case tooLong(limit: Int)
        case tooDeep(limit: Int)
        case tooManyMembers(limit: Int)
        case duplicateMember(String)
        /// The text ends before its value does.
        case truncated
        /// The text does not match the grammar; the sentence says why.
        case malformed(String)
    }

    package let reason: Reason
    /// The place, in bytes from the beginning.
    package let offset: Int
    /// The line, from 1.
    package let line: Int

    /// The reason in one sentence, with its place, on one line of printable characters.
    package var description: String {
        if case .tooLong = reason { return words }
        return "\(words), at byte \(offset)"
    }

    /// The reason in one sentence.
    package var words: String {
        switch reason {
        case .tooLong(let limit): "it is longer than \(limit) bytes"
        case .tooDeep(let limit): "it is nested deeper than \(limit) levels"
        case .tooManyMembers(let limit): "an object has more than \(limit) members"
        case .duplicateMember(let name): "it has the member \(Excerpt.quoting(name)) twice"
        case .truncated: "it ends too early"
        case .malformed(let words): words
        }
    }
}

/// The limits of a JSON text that protect its reader.
package struct JSONLimits: Hashable, Sendable {
    package var maximumByteCount: Int
    package var maximumDepth: Int
    package var maximumMemberCount: Int

    package init(maximumByteCount: Int, maximumDepth: Int = 16, maximumMemberCount: Int = 1024) {
        self.maximumByteCount = maximumByteCount
        self.maximumDepth = maximumDepth
        self.maximumMemberCount = maximumMemberCount
    }

    /// The limits of a message from outside; Sign in with Apple needs at most four levels.
    package static let message = JSONLimits(maximumByteCount: 1024 * 1024)
}
