/// What tracing systems tell each other besides, as the field `tracestate` has it; handed on as it came.
///
/// Source: [Trace Context, section 3.3](https://www.w3.org/TR/trace-context/#tracestate-header)
package struct TraceState: Hashable, Sendable {
    /// How many members are handed on; the specification allows no more.
    package static let maximumMemberCount = 32
    /// The longest text handed on, in bytes; the specification asks for this much.
    package static let maximumByteCount = 512

    package let text: String

    /// Reads the field strictly: one member that is not as it must be, and nothing of it is handed on.
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
