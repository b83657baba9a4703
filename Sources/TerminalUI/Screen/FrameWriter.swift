/// Tells a terminal what has changed since the last frame, and nothing else.
package struct FrameWriter: Sendable {
    private let colors: ColorSupport
    private var shown: CellBuffer?

    /// Makes a writer for a terminal of which nothing is known yet.
    package init(colors: ColorSupport) {
        self.colors = colors
    }

    /// Forgets what is shown, because the terminal may have been written to by somebody else.
    package mutating func forget() { shown = nil }

    /// Makes the terminal show a frame.
    ///
    /// - Returns: the text and the sequences to send; empty when nothing has changed.
    package mutating func sequence(toShow frame: CellBuffer) -> String {
        let isFirst = shown.map { $0.width != frame.width || $0.height != frame.height } ?? true
        let before = isFirst ? CellBuffer(width: frame.width, height: frame.height) : shown
        var changes = isFirst ? "\u{1B}[0m\u{1B}[2J" : ""
        if let before {
            for row in 0..<frame.height {
                changes += self.changes(in: row, from: before, to: frame)
            }
        }
        defer { shown = frame }
        guard !changes.isEmpty || before?.cursor != frame.cursor else { return "" }
        return "\u{1B}[?25l" + changes + Self.cursor(frame.cursor)
    }

    private func changes(in row: Int, from old: CellBuffer, to new: CellBuffer) -> String {
        var text = ""
        var style: Style?
        // The column at which the terminal's own cursor certainly is.
        var position: Int?
        for column in 0..<new.width where old[row, column] != new[row, column] {
            let cell = new[row, column]
            guard let character = cell.character else { continue }
            if position != column { text += "\u{1B}[\(row + 1);\(column + 1)H" }
            if style != cell.style { text += cell.style.sequence(colors) }
            text.append(character)
            style = cell.style
            // Terminals differ in how wide they draw what is not ASCII, so that the place is told anew.
            position = character.isASCII ? column + 1 : nil
        }
        return text.isEmpty ? "" : text + "\u{1B}[0m"
    }

    private static func cursor(_ position: CellBuffer.Position?) -> String {
        guard let position else { return "" }
        return "\u{1B}[\(position.row + 1);\(position.column + 1)H\u{1B}[?25h"
    }
}
