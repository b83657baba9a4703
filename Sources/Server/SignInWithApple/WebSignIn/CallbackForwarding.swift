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

    /// The hidden fields of the form, as name and value.
    public let fields: [(name: String, value: String)]

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
                form.text(field.rawValue).map { (field.rawValue, $0) }
            } + [(Self.marker, "1")]
    }

    /// The script that posts the form with the ``fields`` automatically; place it below the form.
    ///
    /// The page may have other forms, and the form a button with the name `submit`.
    public static let script =
        "HTMLFormElement.prototype.submit.call(document.querySelector('[name=\(marker)]').form)"

    /// The source expression that permits ``script``, for a `Content-Security-Policy` with `script-src`.
    ///
    /// Source: [CSP 3, section 2.3.1](https://www.w3.org/TR/CSP3/#framework-directive-source-list)
    public static let scriptSource =
        "'sha256-\(Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString())'"

    /// Creates a complete page in English, for sites that have no page of their own.
    ///
    /// - Parameter action: the path of the callback.
    /// - Returns: HTML, with a button for browsers without scripts.
    public func page(action: String) -> String {
        HTMLText.page(
            "Signing in",
            """
            <p>If nothing happens, press Continue.</p>
            <form method="post" action="\(HTMLText.escaped(action))">
            \(HTMLText.hiddenInputs(fields))
            <button type="submit">Continue</button>
            </form>
            """,
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
        head: String? = nil,
        script: String? = nil
    ) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
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
    static func hiddenInputs(_ fields: FormCoding.Fields) -> String {
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
