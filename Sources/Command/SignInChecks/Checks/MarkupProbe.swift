import Foundation

/// A text that becomes markup in a page that does not escape it, in text or in an attribute.
struct MarkupProbe {
    /// A unique word, by which the text is found.
    let word: String
    private let element: String

    init() {
        word = "N" + CheckPerson.letters(6)
        element = "<b id=check>\(word)"
    }

    var text: String { element + breakouts.joined() }

    /// Texts that end an attribute, for both kinds of quotes.
    private var breakouts: [String] { ["\" id=\"\(word)", "' id='\(word)"] }

    /// The part of the text that is markup on a page; nil if it is harmless there.
    func found(in page: WebAnswer) -> String? {
        guard page.isPage else { return nil }
        let html = page.text
        let isElement = html.ranges(of: element).contains {
            MarkupPlace(before: $0.lowerBound, in: html) == .text
        }
        if isElement { return element }
        return breakouts.first { breakout in
            html.ranges(of: breakout).contains { range in
                switch MarkupPlace(before: range.lowerBound, in: html) {
                case .text: false
                case .tag: true
                case .quoted(let quote): breakout.first == quote
                }
            }
        }
    }
}

/// A position in a page's markup.
enum MarkupPlace: Hashable {
    case text, tag
    case quoted(Character)

    /// Determines the position by the tags and quotes before it.
    init(before end: String.Index, in html: String) {
        self = .text
        for character in html[..<end] {
            switch (self, character) {
            case (.text, "<"): self = .tag
            case (.tag, ">"): self = .text
            case (.tag, "\""), (.tag, "'"): self = .quoted(character)
            case (.quoted(let quote), character) where character == quote: self = .tag
            default: break
            }
        }
    }
}
