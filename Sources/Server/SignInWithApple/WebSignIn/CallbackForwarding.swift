import AppleIdentity
import Crypto
import Foundation

/// A page of your own site that posts a callback again.
///
/// Apple's page posts the callback from another site. The browser then sends no cookie of the pending sign-in over
/// HTTP, where a cookie cannot be `SameSite=None`, or if it blocks third-party cookies. The browser sends the cookie
/// with a form that your own page posts. The second post is checked like any other, and a marker field prevents a
/// third one.
public struct CallbackForwarding: Sendable {
    /// The field that marks a callback as posted by this page.
    private static let marker = "from_own_site"

    /// The texts and the style of the page; its form and its script are the library's.
    public struct Appearance: Sendable {
        /// The title and the heading.
        public var title = "Signing in"
        /// The sentence above the button, which is for browsers without scripts.
        public var sentence = "If nothing happens, press Continue."
        /// The text of the button.
        public var button = "Continue"
        /// The language of the texts, as in the attribute `lang`.
        public var language = "en"
        /// The style sheet, without `</style>`; nil for none.
        public var style: String?

        /// Creates the appearance of the default page: plain, in English.
        public init() {}

        /// The source expression that permits the ``style``, for a `Content-Security-Policy`.
        public var styleSource: String? { sheet.map(CallbackForwarding.source(of:)) }

        /// The style with the line ends to which HTML changes them.
        fileprivate var sheet: String? {
            style?.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        }
    }

    /// The hidden fields of the form.
    public let fields: [FormField]

    /// Creates the page of a callback that came without any cookie of a pending sign-in.
    ///
    /// It is nil if the callback came from such a page already, or if its state was not created by this library.
    ///
    /// - Parameter formBody: the body as it was posted.
    /// - Throws: `callback_malformed` or `state_duplicate`, as ``AuthorizationCallback/init(formBody:)``.
    public init?(formBody: Data) throws(SignInError) {
        try self.init(CallbackForm(formBody))
    }

    init?(_ form: CallbackForm) throws(SignInError) {
        guard form.text(Self.marker) == nil, try AuthorizationCallback(form).pendingID != nil
        else { return nil }
        fields =
            CallbackForm.Field.allCases.compactMap { field in
                form.text(field.rawValue).map { FormField(name: field.rawValue, value: $0) }
            } + [FormField(name: Self.marker, value: "1")]
    }

    /// The script that posts the form with the ``fields`` automatically; place it below the form.
    ///
    /// The page may have other forms, and the form a button with the name `submit`.
    public static let script =
        "HTMLFormElement.prototype.submit.call(document.querySelector('[name=\(marker)]').form)"

    /// The source expression that permits ``script``, for a `Content-Security-Policy` with `script-src`.
    ///
    /// Source: [CSP 3, section 2.3.1](https://www.w3.org/TR/CSP3/#framework-directive-source-list)
    public static let scriptSource = source(of: script)

    package static func source(of text: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
    }

    /// Creates a complete page, for sites that have no page of their own.
    ///
    /// - Parameters:
    ///   - action: the path of the callback.
    ///   - appearance: its texts and its style; plain and in English by default.
    /// - Returns: HTML, with a button for browsers without scripts.
    public func page(action: String, _ appearance: Appearance = Appearance()) -> String {
        HTMLText.page(
            HTMLText.escaped(appearance.title),
            """
            <p>\(HTMLText.escaped(appearance.sentence))</p>
            <form method="post" action="\(HTMLText.escaped(action))">
            \(HTMLText.hiddenInputs(fields))
            <button type="submit">\(HTMLText.escaped(appearance.button))</button>
            </form>
            """,
            language: appearance.language,
            head: appearance.sheet.map { "<style>\($0)</style>" },
            script: Self.script
        )
    }
}

/// The HTML of the library's own pages.
package enum HTMLText {
    /// A complete page with a heading and the content below it.
    static func page(
        _ heading: String,
        _ content: String,
        language: String = "en",
        head: String? = nil,
        script: String? = nil
    ) -> String {
        """
        <!DOCTYPE html>
        <html lang="\(escaped(language))">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(heading)</title>\(head.map { "\n\($0)" } ?? "")
        </head>
        <body>
        <main>
        <h1>\(heading)</h1>
        \(content)
        </main>\(script.map { "\n<script>\($0)</script>" } ?? "")
        </body>
        </html>
        """
    }

    /// The hidden fields of a form, a line each.
    static func hiddenInputs(_ fields: [FormField]) -> String {
        fields.map {
            "<input type=\"hidden\" name=\"\(escaped($0.name))\" value=\"\(escaped($0.value))\">"
        }
        .joined(separator: "\n")
    }

    /// The text with the special characters of HTML escaped.
    package static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { html, scalar in
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            default: html.unicodeScalars.append(scalar)
            }
        }
    }
}
