/// Why a text is not acceptable JSON, and where.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: Hashable, Sendable {
        /// The text is longer than this, in bytes.
        case tooLong(limit: Int)
        /// Arrays and objects are nested deeper than this.
        case tooDeep(limit: Int)
        /// An object has more members than this.
        case tooManyMembers(limit: Int)
        /// An object has two members of this name.
        case duplicateMember(String)
        /// The text ends before its value does.
        case truncated
        /// The text breaks the grammar, in a sentence.
        case malformed(String)
    }

    /// What is wrong.
    package let reason: Reason
    /// Where, in bytes from the beginning.
    package let offset: Int
    /// The line, from 1.
    package let line: Int

    /// The reason in one sentence, with its place, on one line of printable characters.
    package var description: String { "\(words), at byte \(offset)" }

    /// The reason in one sentence.
    package var words: String {
        switch reason {
        case .tooLong(let limit): "it is longer than \(limit) bytes"
        case .tooDeep(let limit): "it is nested deeper than \(limit) levels"
        case .tooManyMembers(let limit): "an object has more than \(limit) members"
        case .duplicateMember(let name): "it has the member \(Excerpt.quoting(name)) twice"
        case .truncated: "it ends too early, as if it were cut off"
        case .malformed(let words): words
        }
    }
}
