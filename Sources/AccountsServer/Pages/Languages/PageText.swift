import HTMLPages

/// What the pages say in one language, with the app's name in it.
struct PageText: Sendable {
    let language: PageLanguage
    let appName: String
    /// Every text by its name, for templates.
    let texts: [String: String]
    private let words: PageStrings

    init(_ language: PageLanguage, _ words: PageStrings, appName: String) {
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

    /// The name of a page; that something was refused is read out first.
    func title(_ word: String, isRefused: Bool) -> String {
        isRefused ? text("titleOfError", ["title": self[word]]) : self[word]
    }

    /// What a person is told about a refusal: the sentence of its code and reason, or the one it came with.
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
