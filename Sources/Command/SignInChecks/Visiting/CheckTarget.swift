import AppleIdentity
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
    /// Whether the sign-in in a browser is examined; otherwise only the API is.
    package var hasWebSignIn = true
    /// The request that signs in with a token of an app or of Apple's popup; nil if it is unknown.
    package var tokenSignIn: CheckRequest?
    /// The App ID of the app whose tokens the API takes; nil if it is unknown.
    package var nativeClient: String?
    /// The request for a nonce of the server; nil if it is unknown.
    package var nonces: CheckRequest?
    /// The URL to which Apple posts the form of an Android app; nil if it is unknown.
    package var android: URL?
    /// Why a failure of a check is accepted, by the check's name.
    package var accepted: [String: String] = [:]
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
        guard var body = body.map({ Self.body($0, without: values.filter { $0.value.isEmpty }) })
        else { return request }
        for (name, value) in values {
            body = body.replacing("{\(name)}", with: value).replacing("%\(name)%", with: value)
        }
        let parts = body.components(separatedBy: "{random}")
        let filled = parts.dropFirst().reduce(parts[0]) { $0 + CheckPerson.letters(12) + $1 }
        request.fields.append(("Content-Type", "application/json"))
        request.body = Data(filled.utf8)
        return request
    }

    /// The body without the members that are only a missing value.
    private static func body(_ body: String, without missing: [String: String]) -> String {
        guard var object = try? JSONObject(parsing: Data(body.utf8)) else { return body }
        for member in object.members {
            let isMissing = missing.keys.contains {
                ["{\($0)}", "%\($0)%"].contains(member.value.stringValue)
            }
            if isMissing { object[member.name] = nil }
        }
        return object.text
    }
}
