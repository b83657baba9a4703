import Foundation
import HTTPTypes
import Mustache

/// Writes the pages of the sheet as complete HTML documents.
package struct SheetRenderer: Sendable {
    private let library: MustacheLibrary
    /// The language of the sheet; the control port speaks English.
    package var language = SheetLanguage.english

    /// - Throws: when an embedded template cannot be read.
    package init() throws {
        library = try PageTemplates.library()
    }

    /// The page as a complete HTML document.
    package func render(_ page: SheetPage) -> String {
        let content = SheetContent(page: page, language: language)
        return library.render(content.values, withTemplate: content.template) ?? ""
    }

    /// A page of the account as a complete HTML document.
    func render(_ content: AccountContent) -> String {
        library.render(content.values, withTemplate: content.template) ?? ""
    }

    /// The header fields that an answer with this page has.
    package func headerFields(for page: SheetPage) -> HTTPFields {
        switch page {
        case .formPost: PageSecurity.formPostFields
        case .webMessage: PageSecurity.webMessageFields
        default: PageSecurity.sheetFields
        }
    }
}
