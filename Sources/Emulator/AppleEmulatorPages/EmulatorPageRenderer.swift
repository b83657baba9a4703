import AppleEmulator
import Foundation
import HTMLPages
import HTTPTypes
import Mustache

/// Renders the pages of the emulated Apple as complete HTML documents.
package struct EmulatorPageRenderer: Sendable {
    private let library: MustacheLibrary
    private let words: [PageLanguage: PageStrings]
    private let titles: [String: ButtonTitles]

    /// Reads the templates and texts that are embedded in the program.
    package init() throws { try self.init(words: PageLanguage.words(\.sheetFile)) }

    /// Creates a renderer with these texts of the sheet and the account page.
    package init(words: [PageLanguage: PageStrings]) throws {
        library = try PageTemplates.library()
        titles = try ButtonTitles.all()
        self.words = words
    }

    /// Renders the page of a response in the browser's language; others stay unchanged.
    ///
    /// Some pages link to the console if there is one. The links of a world have its prefix.
    package func draw(
        _ answer: EmulatorAnswer,
        for request: HTTPRequest,
        console: URL? = nil,
        under path: String = ""
    ) -> EmulatorAnswer {
        guard let page = answer.page else { return answer }
        var answer = answer
        let language = PageLanguage(preferredBy: request.headerFields[.acceptLanguage])
        let (text, fields) = draw(page, in: language, console: console)
        answer.page = nil
        answer.body = Data(Self.linked(text, under: path).utf8)
        // Header fields of the response take precedence, because a fault may have set them.
        for field in fields where answer.response.headerFields[field.name] == nil {
            answer.response.headerFields[field.name] = field.value
        }
        if request.method == .head { answer.keepLengthAlone() }
        return answer
    }

    /// Adds a prefix to the links and forms of a page.
    ///
    /// The templates have the paths of the port, and a page of user data has no bare quotes.
    package static func linked(_ text: String, under path: String) -> String {
        guard !path.isEmpty else { return text }
        return text.replacing(#/ (href|action)="\/(?!\/)/#) { " \($0.1)=\"\(path)/" }
    }

    func draw(
        _ page: EmulatorPage,
        in language: PageLanguage,
        console: URL? = nil
    ) -> (text: String, HTTPFields) {
        let words = words(of: language)
        func sheet(_ content: SheetContent) -> String {
            draw(content.template, content.values.merging(frame(language)) { own, _ in own })
        }
        switch page {
        case .sheet(let page): return (sheet(SheetContent(page, words)), PageSecurity.sheetFields)
        case .failure(let page):
            return (sheet(SheetContent(page, words, console)), PageSecurity.sheetFields)
        case .home: return (sheet(SheetContent(homeOf: console, words)), PageSecurity.sheetFields)
        case .formPost(let page):
            return (sheet(SheetContent(page, words)), PageSecurity.formPostFields)
        case .webMessage(let page):
            return (sheet(SheetContent(page, words)), PageSecurity.webMessageFields)
        case .account(let page):
            let content = AccountContent(page, words, language)
            let values = content.values.merging(frame(language)) { own, _ in own }
            return (draw(content.template, values), PageSecurity.accountFields)
        case .script(let locale):
            return (titles[locale].map(WebScript.text) ?? "", PageSecurity.scriptFields)
        case .button(let picture):
            let drawing = titles[picture.locale].map { ButtonDrawing(picture, $0).text }
            return (drawing ?? "", PageSecurity.pictureFields)
        }
    }

    func draw(_ template: String, _ values: [String: Any]) -> String {
        library.render(values, withTemplate: template) ?? ""
    }

    func words(of language: PageLanguage) -> PageStrings {
        words[language] ?? PageStrings(texts: [:])
    }

    /// The layout's values for a language.
    private func frame(_ language: PageLanguage) -> [String: Any] {
        var frame: [String: Any] = ["language": language.tag, "words": words(of: language).texts]
        frame["direction"] = language.direction
        return frame
    }
}
