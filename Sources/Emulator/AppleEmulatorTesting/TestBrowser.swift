import AppleIdentity
import Foundation
import HTTPTypes
import SignInWithApple
import WebBrowsing

/// A browser of a user, in front of a server in the process of a test.
///
/// It keeps cookies as browsers do, follows the server's redirects and goes through Apple's page. A copy is another
/// browser with the same cookies.
public struct TestBrowser: Sendable {
    /// Handles a request with its body, as the server under test does.
    public typealias Server =
        @Sendable (HTTPRequest, Data) async throws -> (HTTPResponse, Data)

    private let apple: TestApple
    private let url: URL
    private var browser: Browser<ServerClient>

    /// Opens a browser without cookies; store it in a variable, because requests change its cookies.
    ///
    /// - Parameters:
    ///   - apple: the emulator to which the server redirects the browser.
    ///   - publicURL: the server's URL, with the origin of its redirect URIs.
    ///   - server: handles each request.
    /// - Throws: ``TestAppleError`` if the URL is invalid.
    public init(_ apple: TestApple, at publicURL: String, server: @escaping Server) throws {
        guard let url = URL(string: publicURL), url.host() != nil else {
            throw TestAppleError("not a URL of a server: \(publicURL)")
        }
        (self.apple, self.url) = (apple, url)
        let client = ServerClient(server: server, clock: apple.clock)
        browser = Browser(client, .silenceIsLax, name: "TestBrowser")
    }

    /// The cookies by name, each with its attributes as in `Set-Cookie`.
    public var cookies: [String: TestCookie] {
        let cookies = browser.cookies.all.map { ($0.name, TestCookie($0)) }
        return Dictionary(cookies) { first, _ in first }
    }

    /// Opens a page of the server.
    ///
    /// - Parameter path: the path with a query.
    /// - Returns: the page to which redirects lead.
    /// - Throws: ``TestAppleError`` if it is no path, or the server redirects too often.
    @discardableResult
    public mutating func get(_ path: String) async throws -> TestPage {
        try await load(browser.get(address(path)), .sameSite)
    }

    /// Posts a form of a page of the server.
    ///
    /// - Parameters:
    ///   - path: the path to which the form is sent.
    ///   - fields: the fields of the form.
    /// - Returns: the page to which redirects lead.
    /// - Throws: ``TestAppleError`` if it is no path, or the server redirects too often.
    @discardableResult
    public mutating func post(
        _ path: String,
        _ fields: KeyValuePairs<String, String> = [:]
    ) async throws -> TestPage {
        try await post(fields.map { WebField($0.key, $0.value) }, to: address(path))
    }

    /// Presses the button of the first form of a page.
    ///
    /// - Parameters:
    ///   - page: a page that the browser has loaded.
    ///   - fields: what the user enters; the form's other fields are sent unchanged.
    /// - Returns: the page to which redirects lead.
    /// - Throws: ``TestAppleError`` if the page has no form that is posted.
    @discardableResult
    public mutating func submit(
        _ page: TestPage,
        entering fields: KeyValuePairs<String, String> = [:]
    ) async throws -> TestPage {
        let form = WebPage(page.text).forms.first { $0.method == "POST" }
        guard let form, let address = form.address(on: page.url) else {
            throw TestAppleError("the page has no form that is posted: \(page.url.path())")
        }
        var sent = form.fields
        for (name, value) in fields { sent[name] = value }
        return try await post(sent, to: address)
    }

    /// Begins a sign-in, and decides on Apple's page.
    ///
    /// - Parameters:
    ///   - path: a path of the server that redirects to Apple.
    ///   - email: the user's email address; by default the seed's first user.
    ///   - isContinuing: whether the user authorizes the app; false presses Cancel.
    ///   - hidesEmail: whether the user hides the email address; used only the first time.
    ///   - name: the name that the user enters on the sheet; used only the first time.
    /// - Returns: Apple's response, which ``deliver(_:)`` delivers.
    /// - Throws: ``TestAppleError`` if the path does not lead to Apple, or Apple refuses the request.
    public mutating func authorize(
        from path: String = "/auth/apple",
        as email: String? = nil,
        isContinuing: Bool = true,
        hidesEmail: Bool = false,
        name: PersonName? = nil
    ) async throws -> TestCallback {
        let page = try await get(path)
        guard let url = page.redirect else {
            throw TestAppleError("\(path) does not lead to Apple: it responds with \(page.status)")
        }
        return try await apple.authorize(
            url,
            as: email,
            isContinuing: isContinuing,
            hidesEmail: hidesEmail,
            name: name
        )
    }

    /// Delivers Apple's response to the redirect URI, as Apple's page does.
    ///
    /// If the server responds with a page that posts the same form again, it is posted.
    ///
    /// - Parameter callback: Apple's response.
    /// - Returns: the page to which redirects lead.
    /// - Throws: ``TestAppleError`` if the redirect URI is invalid, or the server redirects too often.
    @discardableResult
    public mutating func deliver(_ callback: TestCallback) async throws -> TestPage {
        guard let url = callback.url else { throw TestAppleError("the response has no URL") }
        guard callback.isPosted else {
            return try await load(browser.get(url, .crossSiteGet), .crossSiteGet)
        }
        let fields = callback.fields.map { WebField($0.name, $0.value) }
        let origin = WebAddress.origin(of: AppleService.apple.url)
        let answer = try await browser.post(fields, to: url, origin: origin, .crossSitePost)
        if let (fields, address) = answer.form(repeating: fields) {
            return try await post(fields, to: address, isByUser: false)
        }
        return try await load(answer, .crossSitePost)
    }

    /// Signs in with Apple, from the server's redirect to the page after the sign-in.
    ///
    /// - Parameters:
    ///   - path: a path of the server that redirects to Apple.
    ///   - email: the user's email address; by default the seed's first user.
    ///   - hidesEmail: whether the user hides the email address; used only the first time.
    ///   - name: the name that the user enters on the sheet; used only the first time.
    /// - Returns: the page to which redirects lead.
    /// - Throws: ``TestAppleError`` if the path does not lead to Apple, or Apple refuses the request.
    @discardableResult
    public mutating func signIn(
        from path: String = "/auth/apple",
        as email: String? = nil,
        hidesEmail: Bool = false,
        name: PersonName? = nil
    ) async throws -> TestPage {
        try await deliver(authorize(from: path, as: email, hidesEmail: hidesEmail, name: name))
    }

    private func address(_ path: String) throws -> URL {
        guard path.hasPrefix("/"), let address = WebAddress.resolve(path, from: url) else {
            throw TestAppleError("not a path: \(path)")
        }
        return address
    }

    private mutating func post(
        _ fields: [WebField],
        to address: URL,
        isByUser: Bool = true
    ) async throws -> TestPage {
        let origin = WebAddress.origin(of: url)
        let answer = try await browser.post(
            fields,
            to: address,
            origin: origin,
            .sameSite,
            isByUser: isByUser
        )
        return try await load(answer, .sameSite)
    }

    private mutating func load(
        _ answer: WebAnswer,
        _ navigation: WebNavigation
    ) async throws -> TestPage {
        let origin = WebAddress.origin(of: url)
        let last = try await browser.follow(answer, navigation) {
            WebAddress.origin(of: $0) == origin
        }
        guard last.location.map({ WebAddress.origin(of: $0) != origin }) ?? true else {
            throw TestAppleError("the server redirects too often: \(last.url.path())")
        }
        return TestPage(last)
    }
}

/// A page that a server sent to a ``TestBrowser``.
public struct TestPage: Sendable {
    /// The URL, after redirects.
    public let url: URL
    /// The status code.
    public let status: Int
    /// The header fields.
    public let headers: HTTPFields
    /// The body as UTF-8.
    public let text: String
    /// Where it redirects the browser, outside of the server; nil if it does not.
    public let redirect: URL?

    init(_ answer: WebAnswer) {
        (url, status, text, redirect) = (
            answer.url, answer.status, answer.text, answer.location
        )
        headers = answer.headers.reduce(into: HTTPFields()) { headers, field in
            guard let name = HTTPField.Name(field.name) else { return }
            headers.append(HTTPField(name: name, value: field.value))
        }
    }
}

/// A cookie of a ``TestBrowser``.
public struct TestCookie: Hashable, Sendable {
    /// The value.
    public let value: String
    /// Whether browsers send it over TLS only.
    public let isSecure: Bool
    /// Whether scripts can't read it.
    public let isHTTPOnly: Bool
    /// `strict`, `lax` or `none`; nil if the server did not say.
    public let sameSite: String?

    init(_ cookie: WebCookie) {
        (value, isSecure, isHTTPOnly) = (cookie.value, cookie.isSecure, cookie.isHTTPOnly)
        sameSite = cookie.sameSite?.rawValue
    }
}

/// The connection of a browser to a function.
private struct ServerClient: BrowserClient {
    let server: TestBrowser.Server
    let clock: TestClock

    var now: Date { clock.now }

    func send(_ request: WebRequest) async throws -> WebAnswer {
        let (address, query) = (request.url, request.url.query(percentEncoded: true))
        var sent = HTTPRequest(
            method: HTTPRequest.Method(request.method) ?? .get,
            scheme: address.scheme,
            authority: WebAddress.origin(of: address).split(separator: "/").last.map(String.init),
            path: (address.path().isEmpty ? "/" : address.path()) + (query.map { "?" + $0 } ?? "")
        )
        for (name, value) in request.fields {
            if let name = HTTPField.Name(name) { sent.headerFields[name] = value }
        }
        let (response, body) = try await server(sent, request.body ?? Data())
        return WebAnswer(
            url: address,
            status: response.status.code,
            headers: response.headerFields.map { ($0.name.canonicalName, $0.value) },
            body: body
        )
    }
}
