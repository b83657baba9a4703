import Testing

@testable import TerminalUI

/// The screen of a terminal that gets only the changes.
@Suite("Frames of a terminal") struct ScreenTests {
    @Test("Control characters and sequences are dropped") func hostile() {
        var frame = CellBuffer(width: 20, height: 1)
        frame.write("Ma\u{1B}[2Jya\u{7}\r\n\u{202E}\u{9B}31m", row: 0)
        #expect(frame.text(row: 0) == "Ma[2Jya31m")
        var endless = CellBuffer(width: 20, height: 1)
        endless.write("a" + String(repeating: "\u{301}", count: 5000) + "b", row: 0)
        #expect(endless.text(row: 0) == "b")
    }

    @Test("A wide character is written completely or not at all") func wide() {
        var frame = CellBuffer(width: 5, height: 2)
        frame.write("a家家家", row: 0)
        #expect(frame.text(row: 0) == "a家家")
        frame.write("x", row: 0, column: 2)
        #expect(frame.text(row: 0) == "a x家")
        frame.write("out", row: 2)
        frame.write("out", row: -1)
        #expect(frame.text(row: 1) == "")
    }

    @Test("An empty size is a screen of one cell, and a huge one is limited") func sizes() {
        #expect(CellBuffer(width: 0, height: 0).width == 1)
        let huge = CellBuffer(width: 65535, height: 65535)
        #expect(huge.width * huge.height <= CellBuffer.maximumCellCount)
    }

    @Test("Only changes are sent: nothing, or one letter") func smallest() {
        var writer = FrameWriter(colors: .none)
        var frame = CellBuffer(width: 10, height: 3)
        frame.write("hello", row: 1)
        #expect(!writer.sequence(toShow: frame).isEmpty)
        #expect(writer.sequence(toShow: frame).isEmpty)
        frame.write("j", row: 1)
        #expect(writer.sequence(toShow: frame) == "\u{1B}[?25l\u{1B}[2;1H\u{1B}[0mj\u{1B}[0m")
        writer.forget()
        #expect(writer.sequence(toShow: frame).contains("\u{1B}[2J"))
    }

    @Test("After every change the terminal shows the frame") func random() {
        var generator = SystemRandomNumberGenerator()
        let words = ["a", "orange", "家", "🍊", "é", "e\u{301}", "한글", "ab家c", " ", "👩‍🚀"]
        var writer = FrameWriter(colors: .basic)
        var screen = SimpleScreen(width: 17, height: 4)
        var frame = CellBuffer(width: 17, height: 4)
        for _ in 0..<500 {
            let word = words.randomElement(using: &generator) ?? ""
            let style = [Style.plain, Style(.accent, isBold: true)].randomElement() ?? .plain
            frame.write(
                word,
                row: .random(in: 0..<4, using: &generator),
                column: .random(in: 0..<17, using: &generator),
                style: style
            )
            screen.read(writer.sequence(toShow: frame))
            for row in 0..<4 { #expect(screen.text(row: row) == frame.text(row: row)) }
        }
    }

    @Test(
        "Colours are sent only if the terminal supports and the user wants them",
        arguments: [
            (["TERM": "xterm-256color"], ColorSupport.palette),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .full),
            (["TERM": "xterm"], .basic), (["TERM": "screen"], .basic), (["TERM": "vt100"], .none),
            (["TERM": "dumb"], .none), ([:], .none), (["TERM": "xterm", "NO_COLOR": ""], .basic),
            (["TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
        ]
    )
    func colors(environment: [String: String], support: ColorSupport) {
        #expect(ColorSupport(environment: environment) == support)
        let sequence = Style(.warning, isBold: true).sequence(support)
        #expect((sequence == "\u{1B}[0;1m") == (support == .none))
    }
}

/// A terminal with a few sequences, which reads the output of ``FrameWriter``.
private struct SimpleScreen {
    private var rows: [[Character?]]
    private var row = 0
    private var column = 0

    init(width: Int, height: Int) {
        rows = Array(repeating: Array(repeating: " ", count: width), count: height)
    }

    func text(row: Int) -> String {
        var text = String(rows[row].compactMap(\.self))
        while text.last == " " { text.removeLast() }
        return text
    }

    mutating func read(_ sent: String) {
        var rest = sent[...]
        while let character = rest.popFirst() {
            guard character == "\u{1B}" else {
                put(character)
                continue
            }
            let sequence = rest.prefix { !$0.isLetter }
            rest = rest.dropFirst(sequence.count)
            let last = rest.popFirst()
            let numbers = sequence.dropFirst().split(separator: ";").compactMap { Int($0) }
            if last == "H", numbers.count == 2 { (row, column) = (numbers[0] - 1, numbers[1] - 1) }
            if last == "J" {
                rows = rows.map { $0.map { _ in " " } }
            }
        }
    }

    private mutating func put(_ character: Character) {
        let columns = TextWidth.columns(of: character)
        for offset in 0..<columns { erase(column + offset) }
        rows[row][column] = character
        if columns == 2 { rows[row][column + 1] = nil }
        column += columns
    }

    /// A terminal clears the other half of an overwritten wide character.
    private mutating func erase(_ column: Int) {
        if rows[row][column] == nil, column > 0 { rows[row][column - 1] = " " }
        if column + 1 < rows[row].count, rows[row][column + 1] == nil {
            rows[row][column + 1] = " "
        }
        rows[row][column] = " "
    }
}
