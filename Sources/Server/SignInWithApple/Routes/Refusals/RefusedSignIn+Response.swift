import AppleIdentity
import HTTPTypes

extension RefusedSignIn {
    /// Creates the default response: an HTML page for `Accept: text/html`, else a problem document.
    ///
    /// It is for a changed refusal. Return nil from `onRefusal` for the errors that you do not handle yourself.
    ///
    /// - Parameter request: the request that failed; its `Accept` field selects the form.
    /// - Returns: the response, with this error's status.
    public func response(to request: SignInRequest) -> SignInResponse {
        let isPage = request.head.headerFields[.accept]?.contains("text/html") == true
        return isPage ? page : problem
    }

    /// The response with the problem document.
    var problem: SignInResponse {
        finished(.json(problemDocument, status: status, type: SignInResponse.problemType))
    }

    /// The content of the problem document.
    var problemDocument: JSONObject {
        if case .resume(let token) = remedy { return problemContent(resumeToken: token) }
        return problemContent(resumeToken: nil)
    }

    private var page: SignInResponse {
        let html = HTMLText.page(
            "Sign-in failed",
            """
            <p>\(HTMLText.escaped(message))</p>
            \(advice)
            <p>Code: <code>\(HTMLText.escaped(code.rawValue))</code></p>
            """
        )
        return finished(.page(html, status: status))
    }

    private func finished(_ response: SignInResponse) -> SignInResponse {
        var response = response.guarded
        for field in headers { response.headers[field.name] = field.value }
        return response
    }

    private var advice: String {
        switch remedy {
        case .none, .resume: ""
        case .beginAgain(let path):
            "<p><a href=\"\(HTMLText.escaped(path))\">Sign in with Apple</a></p>"
        case .postAgain(let form): form.html
        }
    }
}

extension RefusalError {
    /// Creates the content of a problem document.
    ///
    /// Source: [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)
    package func problemContent(resumeToken: String?) -> JSONObject {
        var document: JSONObject = [
            "type": "about:blank",
            "title": .string(status.reasonPhrase),
            "status": .integer(status.code),
            "detail": .string(message),
            "code": .string(code.description),
        ]
        document["resumeToken"] = resumeToken.map { .string($0) }
        if !parameters.isEmpty {
            let values = parameters.sorted { $0.key < $1.key }
            document["parameters"] = .object(
                JSONObject(values.map { .init(name: $0.key, value: .string($0.value)) })
            )
        }
        return document
    }
}

extension RefusedSignIn.RepeatForm {
    fileprivate var html: String {
        let name =
            asksName
            ? "<label>Your name <input name=\"name\" autocomplete=\"name\" required></label>" : ""
        return """
            <form method="post" action="\(HTMLText.escaped(action))">
            \(HTMLText.hiddenInputs(fields))
            \(name)
            <button type="submit">\(asksName ? "Continue" : "Try again")</button>
            </form>
            """
    }
}
