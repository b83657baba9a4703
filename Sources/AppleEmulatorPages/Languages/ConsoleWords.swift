import HTMLPages
import Mustache

/// The texts of the console and the flows in one language.
///
/// In the file, `{name}` is a value. Texts for templates can also contain links, and code in backticks.
struct ConsoleWords: Sendable {
    /// The console's texts and the sheet's, as plain text.
    let strings: PageStrings
    /// The console's texts with values, code or links, as templates.
    private let sentences: [String: MustacheTemplate]

    init(_ console: PageStrings, with sheet: PageStrings, in language: PageLanguage) throws {
        sentences = try console.texts.filter { $0.value.contains(/[{`\[]/) }
            .mapValues(MustacheTemplate.init(sentence:))
        let texts = console.texts.merging(sheet.texts) { own, _ in own }
        strings = PageStrings(texts: texts.mapValues { language.isolatingValues(in: $0) })
    }

    /// Every text by its name, for templates.
    var values: [String: Any] {
        (strings.texts as [String: Any]).merging(sentences) { _, sentence in sentence }
    }
}

extension PageLanguage {
    /// Isolates the values of a right-to-left sentence, which keep their own direction.
    fileprivate func isolatingValues(in text: String) -> String {
        guard isRightToLeft else { return text }
        return text.replacing(/\{\w+\}/) { PageStrings.isolated(String($0.output)) }
    }
}

extension PageStrings {
    /// The console's texts in English, which the JSON of the flows uses.
    static let englishConsole =
        (try? PageStrings(json: PageLanguage.english.consoleFile)) ?? PageStrings(texts: [:])

    /// A count with its noun.
    package func count(_ count: Int, of noun: String) -> String {
        text("\(noun)-\(count == 1 ? "one" : "many")", ["count": String(count)])
    }
}
