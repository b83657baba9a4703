/// Writes only the changes since the last frame to a terminal.
package struct FrameWriter: Sendable {
    private let colors: ColorSupport
    private var shown: CellBuffer?

    package init(colors: ColorSupport) { self.colors = colors }

    /// Forgets the last frame, because another program may have written to the terminal.
    package mutating func forget() { shown = nil }

    /// The sequences that show a frame; empty if nothing has changed.
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
        // The column of the terminal's cursor, if it is known.
        var position: Int?
        for column in 0..<new.width where old[row, column] != new[row, column] {
            let cell = new[row, column]
            guard let character = cell.character else { continue }
            if position != column { text += "\u{1B}[\(row + 1);\(column + 1)H" }
            if style != cell.style { text += cell.style.sequence(colors) }
            text.append(character)
            style = cell.style
            // Terminals draw characters outside ASCII with different widths, so the position is set again.
            position = character.isASCII ? column + 1 : nil
        }
        return text.isEmpty ? "" : text + "\u{1B}[0m"
    }

    private static func cursor(_ position: CellBuffer.Position?) -> String {
        guard let position else { return "" }
        return "\u{1B}[\(position.row + 1);\(position.column + 1)H\u{1B}[?25h"
    }
}

/// The appearance of a character.
package struct Style: Hashable, Sendable {
    /// A colour by its meaning.
    package enum Ink: Hashable, Sendable {
        case normal, accent, quiet, warning, good
    }

    package var ink: Ink
    package var isBold: Bool
    package var isReversed: Bool
    package var isUnderlined: Bool

    package init(
        _ ink: Ink = .normal,
        isBold: Bool = false,
        isReversed: Bool = false,
        isUnderlined: Bool = false
    ) {
        self.ink = ink
        self.isBold = isBold
        self.isReversed = isReversed
        self.isUnderlined = isUnderlined
    }

    package static let plain = Style()

    /// The sequence that sets this style and resets the former one (ECMA-48, SGR).
    func sequence(_ colors: ColorSupport) -> String {
        var codes = ["0"]
        if isBold { codes.append("1") }
        if isUnderlined { codes.append("4") }
        if isReversed { codes.append("7") }
        if let color = colors.code(of: ink) { codes.append(color) }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }
}

/// The colours that a terminal supports, by its environment.
package enum ColorSupport: Hashable, Sendable {
    case none, basic, palette, full

    /// Reads the environment: `NO_COLOR` (no-color.org), then `COLORTERM`, then `TERM`.
    package init(environment: [String: String]) {
        let name = environment["TERM"] ?? ""
        let color = environment["COLORTERM"] ?? ""
        if environment["NO_COLOR"]?.isEmpty == false || name.isEmpty || name == "dumb"
            || name.hasPrefix("vt")
        {
            self = .none
        } else if color == "truecolor" || color == "24bit" {
            self = .full
        } else if name.contains("256color") {
            self = .palette
        } else {
            self = .basic
        }
    }

    /// The parameter that sets a colour; nil for the terminal's default.
    func code(of ink: Style.Ink) -> String? {
        switch (self, ink) {
        case (.none, _), (_, .normal): nil
        case (.basic, .accent): "36"
        case (.basic, .quiet): "90"
        case (.basic, .warning): "31"
        case (.basic, .good): "32"
        case (.palette, .accent): "38;5;38"
        case (.palette, .quiet): "38;5;245"
        case (.palette, .warning): "38;5;167"
        case (.palette, .good): "38;5;71"
        case (.full, .accent): "38;2;10;150;220"
        case (.full, .quiet): "38;2;138;138;138"
        case (.full, .warning): "38;2;215;85;85"
        case (.full, .good): "38;2;80;165;90"
        }
    }
}
