import HTMLPages

/// What the pages say in one language, with the app's name in it.
struct PageText: Sendable {
    let language: PageLanguage
    let appName: String
    /// Every text by its name, for templates.
    let texts: [String: String]
    private let words: PageWords

    init(_ language: PageLanguage, _ words: PageWords, appName: String) {
        self.language = language
        self.words = words
        self.appName = appName
        texts = Dictionary(
            uniqueKeysWithValues: words.texts.keys.map { ($0, words.text($0, ["app": appName])) }
        )
    }

    /// A text by its name.
    subscript(word: String) -> String { texts[word] ?? words[word] }

    /// A text with its values, by their names without the braces.
    func text(_ word: String, _ values: [String: String]) -> String {
        words.text(word, values.merging(["app": appName]) { own, _ in own })
    }

    /// What a person is told about a refusal: the sentence of its code, or the one it came with.
    func sentence(of error: ServerError) -> String {
        let word = "error.\(error.code)"
        guard words.texts[word] != nil else { return error.message }
        return text(word, error.parameters.mapValues { Int($0).map(number) ?? $0 })
    }
}
