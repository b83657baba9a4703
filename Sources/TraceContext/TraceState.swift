/// The vendor-specific data of tracing systems, as in the field `tracestate`; passed on unchanged.
///
/// Source: [Trace Context, section 3.3](https://www.w3.org/TR/trace-context/#tracestate-header)
package struct TraceState: Hashable, Sendable {
    /// The maximum number of members, as in the specification.
    package static let maximumMemberCount = 32
    /// The maximum size, in bytes; the specification requires at least this much.
    package static let maximumByteCount = 512

    package let text: String

    /// Reads the field strictly; nil if any member is invalid.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        let members = text.split(separator: ",", omittingEmptySubsequences: true)
            .map { $0.drop(while: Self.isSpace) }
            .filter { !$0.isEmpty }
        guard !members.isEmpty, members.count <= Self.maximumMemberCount else { return nil }
        var keys: Set<Substring> = []
        for member in members {
            let form =
                /([a-z0-9][a-z0-9_\-*\/]{0,240}(?:@[a-z][a-z0-9_\-*\/]{0,13})?)=[ -+\--<>-~]{1,256}[ \t]*/
            guard let key = member.wholeMatch(of: form)?.output.1, keys.insert(key).inserted
            else { return nil }
        }
        self.text = text
    }

    private static func isSpace(_ character: Character) -> Bool {
        character == " " || character == "\t"
    }
}
