import Foundation

/// The server to be examined, in the least words that its author has to say.
package struct CheckTarget: Hashable, Sendable {
    /// Where a sign-in begins, or the page with the button.
    package let start: URL
    /// Tells whether somebody is signed in, and who.
    package let whoAmI: URL
    package let control: URL
    /// Where Apple's pages are, when the server sends browsers to Apple's own names; nil takes its word.
    package var apple: URL?
    /// What deletes the account of whoever is signed in; nil when nobody said.
    package var deletion: CheckRequest?
    /// What unlinks the Apple Account of the signed-in person, in this order; empty when it is unknown.
    package var unlinking: [CheckRequest] = []
    /// More names of parameters that may lead the browser elsewhere after a sign-in.
    package var returnParameters: [String] = []

    package init(start: URL, whoAmI: URL, control: URL) {
        self.start = start
        self.whoAmI = whoAmI
        self.control = control
    }
}

/// A request of a signed-in browser, or the page with the form for it.
package struct CheckRequest: Hashable, Sendable {
    /// `GET` opens a page, whose form is sent.
    package let method: String
    package let url: URL
    /// A body in JSON, in which each `{random}` becomes new letters; nil for none.
    package let body: String?

    package init(method: String, url: URL, body: String? = nil) {
        self.method = method
        self.url = url
        self.body = body
    }

    var web: WebRequest {
        var request = WebRequest(method: method, url: url)
        request.fields = [("Origin", WebAddress.origin(of: url))]
        guard let body else { return request }
        let parts = body.components(separatedBy: "{random}")
        let filled = parts.dropFirst().reduce(parts[0]) { $0 + CheckPerson.letters(12) + $1 }
        request.fields.append(("Content-Type", "application/json"))
        request.body = Data(filled.utf8)
        return request
    }
}
