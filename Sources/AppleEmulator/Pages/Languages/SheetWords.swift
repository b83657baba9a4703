/// The sheet's texts in one language.
struct SheetWords: Sendable {
    /// A piece of a sentence: a text, or a value that stands in it.
    typealias Piece = (text: String, isValue: Bool)

    let texts: [SheetWord: String]

    init(_ texts: [SheetWord: String]) {
        self.texts = texts
    }

    subscript(word: SheetWord) -> String { texts[word] ?? "" }

    /// Every text by its name, for templates.
    var values: [String: String] {
        Dictionary(uniqueKeysWithValues: SheetWord.allCases.map { ($0.rawValue, self[$0]) })
    }

    /// A text with its values, by their names without the braces.
    func text(_ word: SheetWord, _ values: [String: String]) -> String {
        pieces(of: word, values).map(\.text).joined()
    }

    /// The pieces of a text, so that a page can set the values apart; a value is never searched.
    func pieces(of word: SheetWord, _ values: [String: String]) -> [Piece] {
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
