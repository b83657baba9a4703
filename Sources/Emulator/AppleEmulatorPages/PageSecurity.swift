import Crypto
import Foundation
import HTTPTypes

/// The security header fields of the pages.
package enum PageSecurity {
    /// Submits the form as soon as the browser has read it.
    ///
    /// Calls the prototype's function because a field named `submit` would hide the form's own.
    static let submitScript = "HTMLFormElement.prototype.submit.call(document.forms[0])"

    /// Posts the message to the opener, or closes the popup if there is none.
    ///
    /// Only pages of the named origin can read it.
    static let messageScript = """
        (() => {
          const { message, origin } = document.getElementById("answer").dataset;
          if (!message) window.close();
          else if (window.opener) window.opener.postMessage(message, origin);
          else document.getElementById("alone").hidden = false;
        })()
        """

    /// The fields of the sheet's forms: no scripts, no external content, no embedding in frames.
    ///
    /// There is no `form-action`: browsers also apply it to the redirect after a form, which leads
    /// to the app's redirect URI.
    package static let sheetFields = fields(scripts: "", referrerPolicy: "same-origin")

    /// The fields of the page that posts Apple's response.
    ///
    /// Its one script is allowed by hash. The referrer policy lets the browser name this page's
    /// origin in the `Origin` field of the post, as it does for Apple's page.
    package static let formPostFields = fields(
        scripts: "; script-src '\(hash(of: submitScript))'",
        referrerPolicy: "origin"
    )

    /// The fields of the popup that posts a message to its opener.
    ///
    /// Its one script is allowed by hash.
    ///
    /// There is no `Cross-Origin-Opener-Policy`: it would separate the popup from its opener.
    package static let webMessageFields = fields(
        scripts: "; script-src '\(hash(of: messageScript))'",
        referrerPolicy: "no-referrer"
    )

    /// The fields of the account page: forms to this port only.
    static let accountFields = fields(
        scripts: "; form-action 'self'",
        referrerPolicy: "same-origin",
        styleSheet: PageTemplates.accountStyleSheet
    )

    /// The fields of the console: forms to this port only.
    package static let consoleFields = fields(
        scripts: "; form-action 'self'",
        referrerPolicy: "same-origin",
        styleSheet: PageTemplates.consoleStyleSheet
    )

    /// For console pages that update themselves: one script, allowed by hash.
    package static let consoleLiveFields = fields(
        scripts: "; script-src '\(hash(of: liveScript))'; connect-src 'self'; form-action 'self'",
        referrerPolicy: "same-origin",
        styleSheet: PageTemplates.consoleStyleSheet
    )

    /// Posts a marked form when its field is changed; with the keyboard, a list of choices waits for Enter or the next
    /// field, because each arrow key chooses one.
    static let changeScript = """
        let chosen;
        const post = () => { chosen?.form.requestSubmit(); chosen = null; };
        document.addEventListener("change", ({ target }) => {
          if (!target.form?.hasAttribute("data-at-once")) return;
          chosen = target;
          if (!target.matches("select:focus-visible")) post();
        });
        document.addEventListener("focusout", post);
        document.addEventListener("keydown", ({ key }) => { if (key === "Enter") post(); });
        """

    /// For console pages whose forms are posted when they are changed: one script, allowed by hash.
    package static let consoleChangeFields = fields(
        scripts: "; script-src '\(hash(of: changeScript))'; form-action 'self'",
        referrerPolicy: "same-origin",
        styleSheet: PageTemplates.consoleStyleSheet
    )

    /// The script that makes a message's frame as high as the message.
    static let mailScript = String(decoding: PackageResources.mail_js, as: UTF8.self)

    /// For the page of a message, whose frame inherits the policy.
    ///
    /// Inline styles and embedded pictures are allowed, external content is not. The frame's
    /// sandbox runs no script.
    package static let consoleMailFields = fields(
        scripts: "; script-src '\(hash(of: mailScript))'; img-src data:; form-action 'self'",
        referrerPolicy: "same-origin",
        styles: "'unsafe-inline'"
    )

    /// The fields of the script, which pages of every origin may load.
    static let scriptFields = publicFields("text/javascript; charset=utf-8")

    /// The fields of pictures of the button, which pages of every origin may load.
    static let pictureFields = publicFields("image/svg+xml")

    private static func publicFields(_ type: String) -> HTTPFields {
        var fields: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
        // A page may require this permission for everything it loads (COEP).
        // https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header
        if let name = HTTPField.Name("Cross-Origin-Resource-Policy") {
            fields[name] = "cross-origin"
        }
        return fields
    }

    static func fields(
        scripts: String,
        referrerPolicy: String,
        styleSheet: String = PageTemplates.styleSheet,
        styles: String? = nil
    ) -> HTTPFields {
        let policy =
            "default-src 'none'; style-src \(styles ?? "'\(hash(of: styleSheet))'")\(scripts)"
            + "; base-uri 'none'; frame-ancestors 'none'"
        let fields = [
            ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
            ("Content-Security-Policy", policy), ("Referrer-Policy", referrerPolicy),
            ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
        ]
        return HTTPFields(
            fields.compactMap { name, value in
                HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
            }
        )
    }

    /// A source expression that allows exactly this script or style sheet.
    ///
    /// Source: [CSP 3, section 2.3.1](https://www.w3.org/TR/CSP3/#grammardef-hash-source)
    static func hash(of text: String) -> String {
        "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
    }
}
