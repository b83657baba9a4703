import Foundation
import HTMLPages
import Mustache

/// The templates and the style sheet that are embedded in the program.
enum PageTemplates {
    /// The style sheet that every page carries.
    static let styleSheet = String(decoding: PackageResources.sheet_css, as: UTF8.self)

    /// Reads all templates.
    ///
    /// - Throws: `MustacheTemplate.ParserError` naming the place of the mistake.
    static func library() throws -> MustacheLibrary {
        try MustacheLibrary(pages: sources)
    }

    private static let sources: [String: [UInt8]] = [
        "layout": PackageResources.layout_mustache,
        "form-start": PackageResources.formStart_mustache,
        "sign-in": PackageResources.signIn_mustache,
        "two-factor": PackageResources.twoFactor_mustache,
        "consent": PackageResources.consent_mustache,
        "returning": PackageResources.returning_mustache,
        "form-post": PackageResources.formPost_mustache,
        "web-message": PackageResources.webMessage_mustache,
        "failure": PackageResources.failure_mustache,
        "console": PackageResources.console_mustache,
    ]
}
