import Foundation
import HTMLPages

/// The texts of the pages in one language, with the app's name inserted.
struct PageText: Sendable {
    let language: PageLanguage
    let appName: String
    /// All texts by key, for templates.
    let texts: [String: String]
    private let words: PageStrings

    init(_ language: PageLanguage, _ words: PageStrings, appName: String) {
        self.language = language
        self.words = words
        self.appName = appName
        texts = Dictionary(
            uniqueKeysWithValues: words.texts.keys.map {
                ($0, words.text($0, Self.shown(["app": appName], in: language)))
            }
        )
    }

    /// The text of a key.
    subscript(word: String) -> String { texts[word] ?? words[word] }

    /// Returns the text of a key with values inserted; their names have no braces.
    func text(_ word: String, _ values: [String: String]) -> String {
        let values = values.merging(["app": appName]) { own, _ in own }
        return words.text(word, Self.shown(values, in: language))
    }

    /// Returns the text of a key before and after the value that a template inserts.
    func parts(_ word: String, around name: String) -> (before: String, after: String) {
        let mark = "\u{0}"
        let parts = text(word, [name: mark]).components(separatedBy: mark)
        return (parts.first ?? "", parts.dropFirst().joined())
    }

    /// Isolates the values of a text that is written from right to left.
    private static func shown(
        _ values: [String: String],
        in language: PageLanguage
    ) -> [String: String] {
        language.isRightToLeft ? values.mapValues(PageStrings.isolated) : values
    }

    /// Returns the sentence for an error's code and reason, or else the error's own message.
    func sentence(of error: ServerError) -> String {
        let words = error.parameters["reason"].map { ["error.\(error.code).\($0)"] } ?? []
        let word = (words + ["error.\(error.code)"]).first { self.words.texts[$0] != nil }
        guard let word else { return error.message }
        let values = error.parameters.map { name, value in (name, shown(value, of: name)) }
        return text(word, Dictionary(uniqueKeysWithValues: values))
    }

    private func shown(_ value: String, of name: String) -> String {
        guard let integer = Int(value) else { return value }
        return name == "seconds" ? duration(integer) : number(integer)
    }
}
