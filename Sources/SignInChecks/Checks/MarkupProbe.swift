import Foundation

/// A text that is markup where a page writes it as it came, in a text or in an attribute.
struct MarkupProbe {
    /// A word of its own, by which the text is found again.
    let word: String
    private let element: String

    init() {
        word = "N" + CheckPerson.letters(6)
        element = "<b id=check>\(word)"
    }

    var text: String { element + breakouts.joined() }

    /// What leaves an attribute in one kind of quotes.
    private var breakouts: [String] { ["\" id=\"\(word)", "' id='\(word)"] }

    /// What a page has as markup; nil when it is harmless there.
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

/// Where in a page's markup something stands.
enum MarkupPlace: Hashable {
    case text, tag
    case quoted(Character)

    /// Reads the page up to a place, as far as tags and quotes go.
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
