import AppleIdentity
import HTTPTypes

/// Writes a refusal as whoever asked can read it: a page for browsers, a problem document otherwise.
struct RefusalAnswer {
    let refusal: RefusedSignIn

    func response(to request: SignInRequest) -> SignInResponse {
        let isPage = request.head.headerFields[.accept]?.contains("text/html") == true
        return isPage ? page : problem
    }

    /// The refusal as a program reads it.
    ///
    /// Source: [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)
    var problem: SignInResponse {
        finished(
            .json(refusal.problemDocument, status: refusal.status, type: "application/problem+json")
        )
    }

    private var page: SignInResponse {
        let html = HTMLText.page(
            "The sign-in did not work",
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
    /// The routes' own answer: a page for a browser, a problem document otherwise.
    ///
    /// Return it from `onRefusal` for the refusals that you do not write yourself.
    ///
    /// - Parameter request: the request that is refused.
    /// - Returns: the answer, with this refusal's status.
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
