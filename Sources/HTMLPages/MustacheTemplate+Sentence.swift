import Mustache

extension MustacheTemplate {
    /// Creates a template from a sentence: `{name}` is a value, code is between backticks, and a
    /// link is `[text](path)`.
    ///
    /// - Throws: `MustacheTemplate.ParserError` for unbalanced braces.
    package init(sentence: String) throws {
        let markup = PageMarkup().escapeText(sentence)
            .replacing(/\{(\w+)\}/) { "<bdi>{{\($0.1)}}</bdi>" }
            .replacing(/`([^`]*)`/) { code in
                let values = code.1.replacing("<bdi>", with: "").replacing("</bdi>", with: "")
                return "<code>\(values)</code>"
            }
            .replacing(/\[([^\]]*)\]\(([^)]*)\)/) { "<a href=\"\($0.2)\">\($0.1)</a>" }
        try self.init(string: PageMarkup.pragma + markup)
    }
}
