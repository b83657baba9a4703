import Foundation

/// The server to examine, as its author describes it.
package struct CheckTarget: Hashable, Sendable {
    /// The URL where a sign-in begins, or of a page that leads there.
    package let start: URL
    /// A page or route that shows which user is signed in.
    package let whoAmI: URL
    /// The emulator's control port.
    package let control: URL
    /// The emulator's Apple port, if the server sends browsers to Apple's own host names; nil uses the server's URL.
    package var apple: URL?
    /// The request that deletes the signed-in user's account; nil if it is unknown.
    package var deletion: CheckRequest?
    /// The requests that unlink the signed-in user's Apple Account, in order; empty if they are unknown.
    package var unlinking: [CheckRequest] = []
    /// The request that signs in with a token of Apple's popup; nil if it is unknown.
    package var tokenSignIn: CheckRequest?
    /// The request for a nonce of the server; nil if it is unknown.
    package var nonces: CheckRequest?
    /// The URL to which Apple posts the form of an Android app; nil if it is unknown.
    package var android: URL?
    /// Additional names of parameters with the URL to return to.
    package var returnParameters: [String] = []

    package init(start: URL, whoAmI: URL, control: URL) {
        self.start = start
        self.whoAmI = whoAmI
        self.control = control
    }
}

/// A request of a signed-in browser, or the page with the form for it.
package struct CheckRequest: Hashable, Sendable {
    /// The method; with `GET`, the check submits the form on the page.
    package let method: String
    package let url: URL
    /// A JSON body, in which each `{random}` becomes random letters; nil for none.
    package let body: String?

    package init(method: String, url: URL, body: String? = nil) {
        self.method = method
        self.url = url
        self.body = body
    }

    var web: WebRequest { filled([:]) }

    /// The request, with values in place of the names in braces of its body.
    func filled(_ values: [String: String]) -> WebRequest {
        var request = WebRequest(method: method, url: url)
        request.fields = [("Origin", WebAddress.origin(of: url))]
        guard var body else { return request }
        for (name, value) in values { body = body.replacing("{\(name)}", with: value) }
        let parts = body.components(separatedBy: "{random}")
        let filled = parts.dropFirst().reduce(parts[0]) { $0 + CheckPerson.letters(12) + $1 }
        request.fields.append(("Content-Type", "application/json"))
        request.body = Data(filled.utf8)
        return request
    }
}
