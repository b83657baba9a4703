import AppleIdentity
import HTTPTypes
import Hummingbird

/// Writes a refusal as whoever asked can read it: a page for browsers, a problem document otherwise.
struct RefusalAnswer {
    let refusal: RouteRefusal
    /// The path that begins the sign-in once more.
    let beginPath: String?

    func response(to request: Request) -> Response {
        let isPage = request.headers[.accept]?.contains("text/html") == true
        return finished(isPage ? page : problem)
    }

    /// The answer to whoever can only be a program.
    var problemResponse: Response { finished(problem) }

    private func finished(_ response: Response) -> Response {
        var response = response
        if let seconds = refusal.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
        // RFC 9110, section 15.5.9: the server does not want to wait any longer.
        // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9
        if refusal.status == .requestTimeout { response.headers[.connection] = "close" }
        return response.guarded
    }

    /// The refusal as a program reads it.
    ///
    /// Source: [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)
    private var problem: Response {
        let document: JSONObject = [
            "type": "about:blank",
            "title": .string(refusal.status.reasonPhrase),
            "status": .integer(refusal.status.code),
            "detail": .string(refusal.message),
            "code": .string(refusal.code),
        ]
        return .json(document, status: refusal.status, type: "application/problem+json")
    }

    /// Every text in it is one of this module's own, or a path of the server's own.
    private var page: Response {
        let html = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>The sign-in did not work</title>
            </head>
            <body>
            <main>
            <h1>The sign-in did not work</h1>
            <p>\(refusal.message)</p>
            \(advice)
            <p>Code: <code>\(refusal.code)</code></p>
            </main>
            </body>
            </html>
            """
        return Response(
            status: refusal.status,
            headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html))
        )
    }

    private var advice: String {
        if refusal.isRetryable {
            // The browser still has the answer and the ceremony: posting them again may succeed.
            return "<p>Please wait a moment and reload this page.</p>"
        }
        return beginPath.map { "<p><a href=\"\($0)\">Sign in with Apple</a></p>" } ?? ""
    }
}
