import HTMLPages

/// A text of a console page before its language is known.
enum ConsoleLabel: ExpressibleByStringLiteral {
    /// A text of the language, by its name, with values.
    case word(String, [String: String] = [:])
    /// A name, which is the same in every language.
    case name(String)

    init(stringLiteral word: String) { self = .word(word) }

    func text(in words: PageStrings) -> String {
        switch self {
        case .word(let word, let values): words.text(word, values)
        case .name(let name): name
        }
    }
}
