/// Wraps text for a terminal.
package enum TextLines {
    /// Breaks text between words, and inside a word only if it is wider than a line.
    ///
    /// - Parameters:
    ///   - text: the text, without line breaks.
    ///   - columnCount: the width of a line.
    ///   - breaksWords: whether to break a word that is wider than a line; otherwise its line is wider.
    /// - Returns: the lines; one empty line for an empty text.
    package static func wrap(
        _ text: String,
        to columnCount: Int,
        breaksWords: Bool = true
    ) -> [String] {
        let width = max(1, columnCount)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let joined = line.isEmpty ? String(word) : line + " " + word
            if TextWidth.columns(of: joined) <= width {
                line = joined
                continue
            }
            if !line.isEmpty { lines.append(line) }
            var pieces = breaksWords ? pieces(of: word, width: width) : [String(word)]
            line = pieces.removeLast()
            lines += pieces
        }
        return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
    }

    /// The parts of a word that fit into a line each.
    private static func pieces(of word: Substring, width: Int) -> [String] {
        var pieces: [String] = []
        var piece = ""
        var pieceWidth = 0
        for character in word {
            let columns = TextWidth.columns(of: character)
            if pieceWidth + columns > width, !piece.isEmpty {
                pieces.append(piece)
                piece = ""
                pieceWidth = 0
            }
            piece.append(character)
            pieceWidth += columns
        }
        return pieces + [piece]
    }
}
