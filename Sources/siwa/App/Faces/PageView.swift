import TerminalUI

/// A page on a screen with its focus and field values, which turns keys into a choice.
struct PageView {
    /// The effect of a key.
    enum Outcome: Hashable {
        case stays
        case chose(Int)
    }

    /// A field or button, which can have the focus.
    enum Stop: Hashable {
        case field(PageField)
        case action(label: String, Int)
        /// The button of a form.
        case submit(label: String, Int)
    }

    static let maximumFieldCharacterCount = 512

    let page: Page<Int>
    let stops: [Stop]
    private(set) var focus = 0
    private(set) var values: [String: String]
    /// The number of lines that the user has scrolled away from the focus; every other key resets it.
    private(set) var scrolledLineCount = 0

    private static let scrollStep = 5
    private static let maximumScrolledLineCount = 500

    /// Shows a page; keeps the typed values and the focus of a former page with the same name.
    init(_ page: Page<Int>, after former: PageView? = nil) {
        self.page = page
        stops = page.items.flatMap(Self.stops)
        values = Dictionary(
            stops.compactMap(\.field).map { ($0.name, $0.value) },
            uniquingKeysWith: { $1 }
        )
        guard let former, former.page.name == page.name else { return }
        focus = min(former.focus, max(0, stops.count - 1))
        for field in stops.compactMap(\.field) where former.isTyped(field) {
            values[field.name] = former.values[field.name]
        }
    }

    /// Whether the page had the same field, whose typed value is kept.
    private func isTyped(_ field: PageField) -> Bool {
        stops.compactMap(\.field).contains {
            $0.name == field.name && $0.value == field.value && $0.kind == field.kind
        }
    }

    /// Empties the fields with passwords.
    mutating func forgetSecrets() {
        for field in stops.compactMap(\.field) where field.kind == .secret {
            values[field.name] = ""
        }
    }

    var focused: Stop? { stops.indices.contains(focus) ? stops[focus] : nil }

    /// Handles a key, and returns whether it chose an action.
    mutating func handle(_ key: Key) -> Outcome {
        if key == .pageUp || key == .pageDown {
            scroll(by: key == .pageUp ? -Self.scrollStep : Self.scrollStep)
            return .stays
        }
        scrolledLineCount = 0
        switch key {
        case .tab, .down: move(by: 1)
        case .backTab, .up: move(by: -1)
        case .escape:
            if let cancel = page.cancel { return .chose(cancel) }
        case .enter: return enter()
        default: edit(key)
        }
        return .stays
    }

    private mutating func scroll(by count: Int) {
        let limit = Self.maximumScrolledLineCount
        scrolledLineCount = min(max(-limit, scrolledLineCount + count), limit)
    }

    private mutating func move(by count: Int) {
        guard !stops.isEmpty else { return }
        focus = (focus + count + stops.count) % stops.count
    }

    /// Moves to the next field of a form, or submits the form from its last field.
    private mutating func enter() -> Outcome {
        switch focused {
        case .action(_, let number), .submit(_, let number): return .chose(number)
        case .field:
            if case .submit(_, let number) = stops[focus + 1] { return .chose(number) }
            move(by: 1)
            return .stays
        case nil: return .stays
        }
    }

    private mutating func edit(_ key: Key) {
        guard case .field(let field) = focused else { return }
        var value = values[field.name] ?? ""
        if case .choice(let options) = field.kind {
            value = Self.choose(key, value, of: options)
        } else {
            Self.type(key, into: &value, isSecret: field.kind == .secret)
        }
        values[field.name] = value
    }

    private static func choose(_ key: Key, _ value: String, of options: [String]) -> String {
        guard let index = options.firstIndex(of: value), !options.isEmpty else {
            return options.first ?? value
        }
        switch key {
        case .right, .text(" "): return options[(index + 1) % options.count]
        case .left: return options[(index + options.count - 1) % options.count]
        default: return value
        }
    }

    private static func type(_ key: Key, into value: inout String, isSecret: Bool) {
        switch key {
        case .text(let text), .paste(let text):
            // Text is cleaned at once; of a password only line ends are replaced.
            let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
            value = isSecret ? value + line : TerminalText.line(value + line)
            value = String(value.prefix(maximumFieldCharacterCount))
        case .backspace: _ = value.popLast()
        case .control("u"): value = ""
        case .control("w"):
            while value.last == " " { value.removeLast() }
            while let last = value.last, last != " " { value.removeLast() }
        default: break
        }
    }

    private static func stops(_ item: PageItem<Int>) -> [Stop] {
        switch item {
        case .form(let fields, let label, let action):
            fields.map { .field($0) } + [.submit(label: label, action)]
        case .action(let label, let action): [.action(label: label, action)]
        case .text, .heading, .fact, .note: []
        }
    }
}

extension PageView.Stop {
    var field: PageField? {
        if case .field(let field) = self { field } else { nil }
    }
}
