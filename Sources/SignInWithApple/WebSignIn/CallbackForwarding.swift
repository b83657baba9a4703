import Crypto
import Foundation

/// A page of your own site that posts a callback once more.
///
/// Apple's page posts the callback from another site. A browser that withholds cookies there sends it without the
/// cookie of the pending sign-in: always at http, where a cookie can't be `SameSite=None`, and at https with
/// third-party cookies blocked. A form that your own page posts brings the cookie. The second post is checked
/// like any other, and a marker field prevents a third one.
public struct CallbackForwarding: Sendable {
    /// The field that marks a callback as posted by this page.
    private static let marker = "from_own_site"

    /// The hidden fields of the form.
    public let fields: [(name: String, value: String)]

    /// Makes the page of a callback that came without any cookie of a pending sign-in.
    ///
    /// It is nil when the page can't help: the callback came from such a page already, or its state is not of this
    /// library's form.
    ///
    /// - Parameter formBody: the body as it was posted.
    /// - Throws: `callback_malformed` or `state_duplicate`, as ``AuthorizationCallback/init(formBody:)``.
    public init?(formBody: Data) throws(SignInError) {
        let form = try CallbackForm(formBody)
        guard form.text(Self.marker) == nil,
            try AuthorizationCallback(formBody: formBody).pendingID != nil
        else { return nil }
        fields =
            CallbackForm.Field.allCases.compactMap { field in
                form.text(field.rawValue).map { (field.rawValue, $0) }
            } + [(Self.marker, "1")]
    }

    /// The script that posts the form without a press of its button.
    public static let script = "document.forms[0].submit()"

    /// The source expression that allows ``script``, for a `Content-Security-Policy` with `script-src`.
    ///
    /// Source: [CSP 3, section 2.3.1](https://www.w3.org/TR/CSP3/#framework-directive-source-list)
    public static let scriptSource =
        "'sha256-\(Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString())'"

    /// A whole page in English, for sites without a page of their own for it.
    ///
    /// - Parameter action: the path of the callback.
    /// - Returns: HTML; the button is for browsers without scripts.
    public func page(action: String) -> String {
        let inputs = fields.map { name, value in
            "<input type=\"hidden\" name=\"\(HTMLText.escaped(name))\" "
                + "value=\"\(HTMLText.escaped(value))\">"
        }
        return HTMLText.page(
            "Signing in",
            """
            <p>If nothing happens, press Continue.</p>
            <form method="post" action="\(HTMLText.escaped(action))">
            \(inputs.joined(separator: "\n"))
            <button type="submit">Continue</button>
            </form>
            """,
            script: Self.script
        )
    }
}

/// Text for the pages that the library writes itself.
package enum HTMLText {
    /// A whole page with a heading and what stands below it.
    static func page(_ heading: String, _ content: String, script: String? = nil) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(heading)</title>
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

    /// The text with the characters escaped that mean something in HTML.
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
