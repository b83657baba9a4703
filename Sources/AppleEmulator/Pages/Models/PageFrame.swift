/// What every page has around its content.
package struct PageFrame: Sendable {
    /// The page's language as a BCP 47 tag.
    package var language: String

    package init(language: String = "en") {
        self.language = language
    }
}
