import JuiceApp
import TerminalUI

/// Draws a page into the cells of a terminal, with shorter lines in a narrow one.
struct PageDrawing {
    private struct Line {
        var text = ""
        var style = Style.plain
        /// The index of the stop on the line.
        var stop: Int?
        /// The column of the cursor, if the line is the field with the focus.
        var cursor: Int?
    }

    /// The widest line of text, in columns, because longer ones are hard to read.
    private static let maximumTextWidth = 72
    /// The width below which labels are above their values.
    private static let narrowWidth = 50
    private static let labelWidth = 18
    private static let fieldWidth = 40

    private let view: PageView
    /// The last line during an operation, instead of the keys.
    private let foot: String?
    private let width: Int
    private let height: Int
    private let margin: Int

    private var isBusy: Bool { foot != nil }

    init(_ view: PageView, foot: String? = nil, width: Int, height: Int) {
        self.view = view
        self.foot = foot
        self.width = width
        self.height = height
        margin = width < Self.narrowWidth ? 1 : 3
    }

    /// The whole screen: the title, the messages, as much of the page as fits around the focus, and the keys.
    func frame() -> CellBuffer {
        var frame = CellBuffer(width: width, height: height)
        drawTitle(&frame)
        let allRows = max(1, height - 4)
        let messages = messageLines().prefix(allRows / 2)
        draw(messages, at: 2, &frame)
        let lines = lines()
        let rows = allRows - messages.count
        let first = firstLine(of: lines, rows: rows)
        draw(lines.dropFirst(first).prefix(rows), at: 2 + messages.count, &frame)
        drawFoot(&frame, hasMoreAbove: first > 0, hasMoreBelow: first + rows < lines.count)
        return frame
    }

    private func draw(_ lines: ArraySlice<Line>, at row: Int, _ frame: inout CellBuffer) {
        for (offset, line) in lines.enumerated() {
            frame.write(line.text, row: row + offset, column: margin, style: line.style)
            if let cursor = line.cursor, !isBusy {
                frame.cursor = .init(row: row + offset, column: min(margin + cursor, width - 1))
            }
        }
    }

    private func drawTitle(_ frame: inout CellBuffer) {
        let speaker = view.page.speaker == .app ? JuiceTexts.appName : PageSpeaker.deviceName
        let title = " \(speaker): \(view.page.title)"
        let padding = String(repeating: " ", count: max(0, width - TextWidth.columns(of: title)))
        let ink = view.page.speaker == .app ? Style.Ink.accent : .normal
        frame.write(title + padding, row: 0, style: Style(ink, isBold: true, isReversed: true))
    }

    private func drawFoot(_ frame: inout CellBuffer, hasMoreAbove: Bool, hasMoreBelow: Bool) {
        guard height > 3 else { return }
        let more = hasMoreBelow ? "(more below: PgDn) " : hasMoreAbove ? "(more above: PgUp) " : ""
        let keys =
            width < Self.narrowWidth
            ? "Tab Enter Esc Ctrl-C" : "Tab or arrows: move Enter: choose Esc: back Ctrl-C: quit"
        let text = foot ?? more + keys
        frame.write(
            TextWidth.clipped(text, to: width - 2),
            row: height - 1,
            column: 1,
            style: Style(isBusy ? .accent : .quiet)
        )
    }

    /// The first visible line: the top if the focus is visible then, or else as far down as the focus needs, plus the
    /// lines that the user scrolled.
    private func firstLine(of lines: [Line], rows: Int) -> Int {
        let focus = lines.lastIndex { $0.stop == view.focus } ?? 0
        // If there is room, the line below the focus is visible and shows that the page continues.
        let first = focus < rows ? 0 : focus - rows + (rows > 3 ? 2 : 1)
        return min(max(0, first + view.scrolledLineCount), max(0, lines.count - rows))
    }

    private var textWidth: Int { max(1, min(Self.maximumTextWidth, width - 2 * margin)) }

    private func lines() -> [Line] {
        var lines: [Line] = []
        var stop = 0
        for item in view.page.items {
            // Two adjacent empty lines are drawn as one.
            for line in self.lines(of: item, &stop)
            where !line.text.isEmpty || lines.last?.text.isEmpty != true { lines.append(line) }
        }
        return lines
    }

    private func messageLines() -> [Line] {
        var lines: [Line] = []
        if let problem = view.page.problem {
            lines += wrapped("! " + problem.sentence, Style(.warning, isBold: true))
            lines += wrapped(problem.nextStep, Style(.warning)) + [Line()]
        }
        if let notice = view.page.notice { lines += wrapped(notice, Style(.good)) + [Line()] }
        return lines
    }

    private func lines(of item: PageItem<Int>, _ stop: inout Int) -> [Line] {
        switch item {
        case .text(let text): return wrapped(text, .plain) + [Line()]
        case .heading(let text):
            return [Line()] + (text.isEmpty ? [] : wrapped(text, Style(isBold: true)))
        case .note(let text): return wrapped(text, Style(.quiet)) + [Line()]
        case .fact(let label, let value): return fact(label, value)
        case .action(let label, _):
            defer { stop += 1 }
            return [button(label, stop)]
        case .form(let fields, let label, _):
            var lines: [Line] = []
            for field in fields {
                lines += self.lines(of: field, stop)
                stop += 1
            }
            defer { stop += 1 }
            return lines + [button(label, stop), Line()]
        }
    }

    private func fact(_ label: String, _ value: String) -> [Line] {
        guard width >= Self.narrowWidth else {
            return wrapped(label, Style(.quiet)) + wrapped(value, Style(isBold: true))
        }
        let values = TextLines.wrap(TerminalText.line(value), to: textWidth - Self.labelWidth)
        return values.enumerated().map { index, text in
            Line(text: padded(index == 0 ? label : "") + text)
        }
    }

    private func button(_ label: String, _ stop: Int) -> Line {
        let isFocused = stop == view.focus && !isBusy
        let text = TextWidth.clipped("[ \(TerminalText.line(label)) ]", to: textWidth - 2)
        return Line(
            text: (isFocused ? "> " : "  ") + text,
            style: isFocused ? Style(.accent, isBold: true, isReversed: true) : .plain,
            stop: stop
        )
    }

    private func lines(of field: PageField, _ stop: Int) -> [Line] {
        let isFocused = stop == view.focus && !isBusy
        let value = view.values[field.name] ?? ""
        let isNarrow = width < Self.narrowWidth
        let room = max(4, min(Self.fieldWidth, textWidth - (isNarrow ? 4 : Self.labelWidth + 4)))
        let shown = shown(value, of: field, room: room)
        let gap = String(repeating: "_", count: max(0, room - TextWidth.columns(of: shown)))
        let mark = isFocused ? "> " : "  "
        let label = isNarrow ? "" : padded(field.label)
        let box = field.isChoice ? "< \(shown) >" : shown + gap
        let line = Line(
            text: mark + label + box,
            style: isFocused ? Style(.accent, isBold: true) : .plain,
            stop: stop,
            cursor: isFocused && !field.isChoice
                ? TextWidth.columns(of: mark + label + shown) : nil
        )
        return isNarrow ? wrapped("  " + field.label, Style(.quiet)) + [line] : [line]
    }

    private func shown(_ value: String, of field: PageField, room: Int) -> String {
        switch field.kind {
        case .secret: String(repeating: "*", count: min(value.count, room - 1))
        case .choice: TextWidth.clipped(TerminalText.line(value), to: room)
        case .text: TextWidth.tail(value, of: room - 1)
        }
    }

    private func padded(_ label: String) -> String {
        let clipped = TextWidth.clipped(label, to: Self.labelWidth - 1)
        return clipped
            + String(repeating: " ", count: Self.labelWidth - TextWidth.columns(of: clipped))
    }

    private func wrapped(_ text: String, _ style: Style) -> [Line] {
        TextLines.wrap(TerminalText.line(text), to: textWidth).map { Line(text: $0, style: style) }
    }
}

extension PageField {
    var isChoice: Bool {
        if case .choice = kind { true } else { false }
    }
}
