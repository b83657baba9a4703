import AppleIdentity
import HTTPTypes

/// Writes an error response: a page for browsers, a problem document for other clients.
struct RefusalAnswer {
    let refusal: RefusedSignIn

    func response(to request: SignInRequest) -> SignInResponse {
        let isPage = request.head.headerFields[.accept]?.contains("text/html") == true
        return isPage ? page : problem
    }

    /// The problem document.
    ///
    /// Source: [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)
    var problem: SignInResponse {
        finished(
            .json(
                refusal.problemDocument,
                status: refusal.status,
                type: SignInResponse.problemType
            )
        )
    }

    private var page: SignInResponse {
        let html = HTMLText.page(
            "Sign-in failed",
            """
            <p>\(HTMLText.escaped(refusal.message))</p>
            \(advice)
            <p>Code: <code>\(HTMLText.escaped(refusal.code))</code></p>
            """
        )
        return finished(.page(html, status: refusal.status))
    }

    private func finished(_ response: SignInResponse) -> SignInResponse {
        var response = response.guarded
        for field in refusal.headers { response.headers[field.name] = field.value }
        return response
    }

    private var advice: String {
        switch refusal.remedy {
        case .none, .resume: ""
        case .beginAgain(let path):
            "<p><a href=\"\(HTMLText.escaped(path))\">Sign in with Apple</a></p>"
        case .postAgain(let form): Self.html(form)
        }
    }

    private static func html(_ form: RefusedSignIn.RepeatForm) -> String {
        let fields = form.fields.map {
            "<input type=\"hidden\" name=\"\(HTMLText.escaped($0.name))\" value=\"\(HTMLText.escaped($0.value))\">"
        }
        let name =
            form.asksName
            ? "<label>Your name <input name=\"name\" autocomplete=\"name\" required></label>" : ""
        return """
            <form method="post" action="\(HTMLText.escaped(form.action))">
            \(fields.joined(separator: "\n"))
            \(name)
            <button type="submit">\(form.asksName ? "Continue" : "Try again")</button>
            </form>
            """
    }
}

extension RefusedSignIn {
    /// Creates the default response: an HTML page for `Accept: text/html`, else a problem document.
    ///
    /// Return it from `onRefusal` for the errors that you do not handle yourself.
    ///
    /// - Parameter request: the request that failed; its `Accept` field selects the form.
    /// - Returns: the response, with this error's status.
    public func response(to request: SignInRequest) -> SignInResponse {
        RefusalAnswer(refusal: self).response(to: request)
    }

    package var problemDocument: JSONObject {
        var document: JSONObject = [
            "type": "about:blank",
            "title": .string(status.reasonPhrase),
            "status": .integer(status.code),
            "detail": .string(message),
            "code": .string(code),
        ]
        if case .resume(let token) = remedy { document["resumeToken"] = .string(token) }
        return document
    }
}
