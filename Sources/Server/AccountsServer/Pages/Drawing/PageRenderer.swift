import HTMLPages
import HTTPTypes
import Hummingbird
import Mustache
import SignInWithApple

/// Renders the pages in the browser's language; the templates escape every value.
struct PageRenderer: Sendable {
    let assets: PageAssets
    private let library: MustacheLibrary
    private let texts: [PageLanguage: PageText]
    private let brand: Brand

    /// Reads the templates and texts that are embedded in the program.
    init(appName: String, brand: Brand = Brand()) throws {
        try self.init(words: PageLanguage.words(\.pageFile), appName: appName, brand: brand)
    }

    init(words: [PageLanguage: PageStrings], appName: String, brand: Brand = Brand()) throws {
        self.brand = brand
        library = try MustacheLibrary(pages: PageTemplate.sources)
        texts = Dictionary(
            uniqueKeysWithValues: words.map { ($0, PageText($0, $1, appName: appName)) }
        )
        let isSample = appName == AccountsServerConfiguration.standardAppName
        assets = PageAssets(
            texts: PageLanguage.allCases.compactMap { [texts] in texts[$0] },
            brand: brand,
            monogram: isSample ? nil : Self.monogram(appName, brand.accent, library)
        )
    }

    private static func monogram(
        _ appName: String,
        _ accent: AccentColors,
        _ library: MustacheLibrary
    ) -> String? {
        let values = [
            "letter": String(appName.uppercased().prefix(1)), "ground": accent.light.text,
            "ink": accent.lightText.text,
        ]
        return library.render(values, withTemplate: "monogram")
    }

    /// Renders a page in the request's language; throws `internal_error` without its template.
    func response(_ page: some Page, to request: Request) throws -> Response {
        let language = PageLanguage(of: request)
        let html = try draw(page, in: language)
        var response = Response.page(html, status: page.refusal?.status ?? .ok)
        for field in page.refusal?.answerHeaders ?? [:] { response.headers.append(field) }
        if !page.formTargets.isEmpty || page.script != nil {
            response.headers[.contentSecurityPolicy] = SecurityHeaders.pagePolicy(
                formTargets: page.formTargets,
                scriptSource: page.script.map(CallbackForwarding.source)
            )
        }
        response.headers[.contentLanguage] = language.tag
        // RFC 9110, section 12.5.5: the content at one URL depends on the reader's language.
        // https://www.rfc-editor.org/rfc/rfc9110#section-12.5.5
        response.headers[.vary] = "Accept-Language"
        return response
    }

    func draw<Drawn: Page>(_ page: Drawn, in language: PageLanguage) throws -> String {
        let text = text(in: language)
        var context = page.values(text).compactMapValues { $0 }
        context["words"] = text.texts
        context["language"] = language.tag
        context["direction"] = language.direction
        context["title"] = page.title(text)
        context["appName"] = text.appName
        context["styleSheet"] = assets.styleSheet.path
        context["mark"] = assets.mark.path
        context["markType"] = assets.mark.contentType
        context["hasLinks"] = !brand.linked.isEmpty
        context["links"] = brand.linked.map { ["address": $0.address, "text": text[$0.word]] }
        context["script"] = page.script
        context["appleLogo"] = AppleButton.logoElement
        guard let html = library.render(context, withTemplate: Drawn.template.rawValue) else {
            throw ServerError(
                "internal_error",
                .internalServerError,
                "Something went wrong on the server.",
                hint: "the template \(Drawn.template.rawValue) is missing"
            )
        }
        return html
    }

    private func text(in language: PageLanguage) -> PageText {
        texts[language] ?? PageText(language, PageStrings(texts: [:]), appName: "")
    }
}
