import Foundation

/// The forms and links of a page.
package struct WebPage: Sendable {
    package struct Form: Sendable {
        package let method: String
        /// The `action` attribute; empty for the page itself.
        package let action: String
        package let fields: [WebField]
        /// Its markup, to search for words.
        package let text: String

        /// The URL to which the form is sent from a page.
        package func address(on page: URL) -> URL? {
            WebAddress.resolve(action.isEmpty ? page.absoluteString : action, from: page)
        }
    }

    package struct Link: Sendable {
        package let address: String
        package let text: String
    }

    package let forms: [Form]
    package let links: [Link]

    package init(_ html: String) {
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
    package static func unescaped(_ text: String) -> String {
        var text = text
        for (entity, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"),
            ("&#x27;", "'"), ("&#x2F;", "/"), ("&#x3D;", "="), ("&#x60;", "`"), ("&#43;", "+"),
            ("&amp;", "&"),
        ] { text = text.replacing(entity, with: character) }
        return text
    }
}

extension WebAnswer {
    /// The form of a page that posts an authorization response to the page's own URL again.
    ///
    /// Browsers send Lax cookies with this form, but not with the provider's.
    package func form(repeating response: [WebField]) -> (fields: [WebField], address: URL)? {
        let telling = response.filter { ["code", "error"].contains($0.name) }
        let form = (isPage ? WebPage(text).forms : []).first { form in
            form.method == "POST" && telling.contains(where: form.fields.contains)
        }
        guard let form, let address = form.address(on: url),
            WebAddress.origin(of: address) == WebAddress.origin(of: url),
            address.path() == url.path()
        else { return nil }
        return (form.fields, address)
    }
}
