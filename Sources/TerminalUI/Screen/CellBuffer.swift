/// A cell of a terminal.
package struct Cell: Hashable, Sendable {
    /// The character; nil for the second column of a wide one.
    package var character: Character?
    package var style: Style

    package static let blank = Cell(character: " ", style: .plain)
}

/// The content of a terminal's screen, cell by cell.
///
/// It has only visible characters: control characters, escape sequences and marks without a letter are dropped.
package struct CellBuffer: Hashable, Sendable {
    /// The limit of cells.
    package static let maximumCellCount = 1_000_000

    package let width: Int
    package let height: Int
    private var cells: [Cell]
    /// The position of the cursor; nil hides it.
    package var cursor: Position?

    /// A position, counted from 0.
    package struct Position: Hashable, Sendable {
        package var row: Int
        package var column: Int

        package init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    /// Creates an empty screen; one with more than a million cells loses rows.
    package init(width: Int, height: Int) {
        self.width = max(1, width)
        self.height = max(1, min(height, Self.maximumCellCount / self.width))
        cells = Array(repeating: .blank, count: self.width * self.height)
    }

    package subscript(row: Int, column: Int) -> Cell { cells[row * width + column] }

    /// Writes the visible characters of a text into one row, as far as they fit.
    package mutating func write(_ text: String, row: Int, column: Int = 0, style: Style = .plain) {
        guard (0..<height).contains(row), column >= 0 else { return }
        var column = column
        for character in text {
            let columns = TextWidth.columns(of: character)
            guard columns > 0, character.unicodeScalars.count <= TextWidth.maximumScalarCount
            else { continue }
            guard column + columns <= width else { return }
            put(character, columns: columns, row: row, column: column, style: style)
            column += columns
        }
    }

    /// The text of a row, without trailing spaces.
    package func text(row: Int) -> String {
        var text = String((0..<width).compactMap { self[row, $0].character })
        while text.last == " " { text.removeLast() }
        return text
    }

    private mutating func put(
        _ character: Character,
        columns: Int,
        row: Int,
        column: Int,
        style: Style
    ) {
        clearWide(row: row, column: column)
        cells[row * width + column] = Cell(character: character, style: style)
        guard columns == 2 else { return }
        clearWide(row: row, column: column + 1)
        cells[row * width + column + 1] = Cell(character: nil, style: style)
    }

    /// Clears the other half of a wide character that is overwritten.
    private mutating func clearWide(row: Int, column: Int) {
        let index = row * width + column
        if cells[index].character == nil, column > 0 { cells[index - 1] = .blank }
        if column + 1 < width, cells[index + 1].character == nil { cells[index + 1] = .blank }
    }
}
