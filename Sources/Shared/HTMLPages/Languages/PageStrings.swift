import Foundation

/// The texts of the pages in one language: a file below `Resources/Languages`.
package struct PageStrings: Sendable {
    /// A piece of a sentence: a text, or a value in it.
    package typealias Piece = (text: String, isValue: Bool)

    /// Every text by its name, for templates; `{name}` and the like are replaced by values.
    package let texts: [String: String]

    package init(texts: [String: String]) { self.texts = texts }

    package init(json: [UInt8]) throws {
        self.init(texts: try JSONDecoder().decode([String: String].self, from: Data(json)))
    }

    /// A text by its name; an unknown name is returned itself, to make the mistake visible.
    package subscript(word: String) -> String { texts[word] ?? "[\(word)]" }

    /// A text with its values, by their names without the braces.
    package func text(_ word: String, _ values: [String: String]) -> String {
        pieces(of: word, values).map(\.text).joined()
    }

    /// A text about a name, which may be written in another direction.
    package func text(_ word: String, about name: String) -> String {
        text(word, ["name": Self.isolated(name)])
    }

    /// A value between marks that isolate its direction from that of the sentence.
    package static func isolated(_ value: String) -> String { "\u{2068}\(value)\u{2069}" }

    /// The pieces of a text, for pages that format the values; a value is never searched.
    package func pieces(of word: String, _ values: [String: String]) -> [Piece] {
        var rest = Substring(self[word])
        var pieces: [Piece] = []
        while let open = rest.firstIndex(of: "{"),
            let close = rest[open...].firstIndex(of: "}")
        {
            let name = String(rest[rest.index(after: open)..<close])
            if open > rest.startIndex { pieces.append((String(rest[..<open]), false)) }
            pieces.append((values[name] ?? "", true))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append((String(rest), false)) }
        return pieces
    }
}
