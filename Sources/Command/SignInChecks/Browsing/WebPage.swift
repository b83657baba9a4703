import Foundation

/// The forms and links of a page.
struct WebPage: Sendable {
    struct Form: Sendable {
        let method: String
        /// The `action` attribute; empty for the page itself.
        let action: String
        let fields: [WebField]
        /// Its markup, to search for words.
        let text: String

        /// The URL to which the form is sent from a page.
        func address(on page: URL) -> URL? {
            WebAddress.resolve(action.isEmpty ? page.absoluteString : action, from: page)
        }
    }

    struct Link: Sendable {
        let address: String
        let text: String
    }

    let forms: [Form]
    let links: [Link]

    init(_ html: String) {
        forms = html.matches(of: /(?is)<form\b([^>]*)>(.*?)<\/form>/).map { match in
            Self.form(String(match.1), String(match.2))
        }
        links = html.matches(of: /(?is)<a\b([^>]*)>(.*?)<\/a>/).compactMap { match in
            guard let address = Self.attribute("href", of: String(match.1)) else { return nil }
            return Link(address: address, text: String(match.2))
        }
    }

    private static func form(_ head: String, _ content: String) -> Form {
        let fields = content.matches(of: /(?is)<(?:input|button)\b([^>]*)>/)
            .compactMap { match -> WebField? in
                let tag = String(match.1)
                guard let name = attribute("name", of: tag) else { return nil }
                return WebField(name, attribute("value", of: tag) ?? "")
            }
        return Form(
            method: attribute("method", of: head)?.uppercased() ?? "GET",
            action: attribute("action", of: head) ?? "",
            fields: fields,
            text: head + content
        )
    }

    private static func attribute(_ name: String, of tag: String) -> String? {
        let pattern = /(?is)([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/
        let match = tag.matches(of: pattern).first { $0.1.lowercased() == name }
        return match.flatMap { $0.2 ?? $0.3 ?? $0.4 }.map { unescaped(String($0)) }
    }

    /// The text with the characters that templates escape.
    static func unescaped(_ text: String) -> String {
        var text = text
        for (entity, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"),
            ("&#x27;", "'"), ("&#x2F;", "/"), ("&#x3D;", "="), ("&#x60;", "`"), ("&#43;", "+"),
            ("&amp;", "&"),
        ] { text = text.replacing(entity, with: character) }
        return text
    }
}
