import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Synchronization
import Testing

/// A browser: it keeps cookies, and does not send those that must stay within a site.
final class TestBrowser: Sendable {
    private struct Cookie {
        let value: String
        let isCrossSite: Bool
    }

    let server: TestServer
    private let cookies = Mutex<[String: Cookie]>([:])

    /// Opens a browser, by default without a session.
    init(_ server: TestServer, session token: String? = nil) {
        self.server = server
        if let token { setCookie("__Host-siwa-session", token) }
    }

    var cookieNames: Set<String> { cookies.withLock { Set($0.keys) } }

    /// The length of the names and values of all cookies.
    var cookieByteCount: Int {
        cookies.withLock { $0.reduce(0) { $0 + $1.key.utf8.count + $1.value.value.utf8.count } }
    }

    /// A cookie of the browser, by its name.
    func cookie(where isIt: (String) -> Bool) -> (name: String, value: String)? {
        cookies.withLock { cookies in
            cookies.first { isIt($0.key) }.map { ($0.key, $0.value.value) }
        }
    }

    /// Stores a cookie, as if a page of the server had set it.
    func setCookie(_ name: String, _ value: String) {
        cookies.withLock { $0[name] = Cookie(value: value, isCrossSite: false) }
    }

    func get(_ path: String) async throws -> TestResponse {
        try await send(.get, path, headers: [.accept: "text/html"], isCrossSite: false)
    }

    /// Posts a form, by default from one of the server's own pages.
    func post(
        _ path: String,
        _ fields: [(String, String)] = [],
        site: String? = "same-origin",
        origin: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        if let site, let name = HTTPField.Name("Sec-Fetch-Site") { headers[name] = site }
        headers[.origin] = origin
        return try await post(path, body: Self.form(fields), headers, isCrossSite: false)
    }

    func delete(_ path: String, site: String) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        if let name = HTTPField.Name("Sec-Fetch-Site") { headers[name] = site }
        return try await send(.delete, path, headers: headers, isCrossSite: false)
    }

    /// Posts Apple's response from Apple's page.
    func post(_ callback: TestCallback) async throws -> TestResponse {
        try await postCallback(String(decoding: callback.formBody, as: UTF8.self))
    }

    func postCallback(_ body: String) async throws -> TestResponse {
        let answer = try await postFromApple(body)
        guard answer.status == .ok, answer.text.contains("<script>") else { return answer }
        return try await post("/sign-in/apple/callback", RepeatForm.fields(of: answer.text))
    }

    /// Does the same in a browser without scripts, before its user presses a button.
    func postFromApple(_ body: String) async throws -> TestResponse {
        try await post("/sign-in/apple/callback", body: body, [:], isCrossSite: true)
    }

    /// Presses the button and goes through Apple's page.
    func callback(
        as email: String = "maya@example.com",
        isContinuing: Bool = true,
        hidesEmail: Bool = false,
        name: PersonName? = nil,
        goal: String = ""
    ) async throws -> TestCallback {
        let begun = try await get("/sign-in/apple" + goal)
        #expect(begun.status == .seeOther)
        let address = try #require(begun.headers[.location].flatMap { URL(string: $0) })
        return try await server.apple.authorize(
            address,
            as: email,
            isContinuing: isContinuing,
            hidesEmail: hidesEmail,
            name: name
        )
    }

    func signIn(
        as email: String = "maya@example.com",
        hidesEmail: Bool = false,
        name: PersonName? = nil
    ) async throws {
        let callback = try await callback(as: email, hidesEmail: hidesEmail, name: name)
        let answer = try await post(callback)
        try #require(answer.status == .seeOther, "\(answer.text)")
    }

    static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
    }

    private static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private func post(
        _ path: String,
        body: String,
        _ headers: HTTPFields,
        isCrossSite: Bool
    ) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        headers[.accept] = "text/html"
        return try await send(.post, path, headers: headers, body: body, isCrossSite: isCrossSite)
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields,
        body: String? = nil,
        isCrossSite: Bool
    ) async throws -> TestResponse {
        var headers = headers
        headers[.userAgent] = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15"
        let jar = cookies.withLock { $0.filter { !isCrossSite || $0.value.isCrossSite } }
        if !jar.isEmpty {
            headers[.cookie] = jar.map { "\($0.key)=\($0.value.value)" }.joined(separator: "; ")
        }
        let response = try await server.send(method, path, headers, body: body)
        for field in response.headers[values: .setCookie] { keep(field) }
        return response
    }

    private func keep(_ field: String) {
        let parts = field.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let cookie = Cookie(value: String(pair[1]), isCrossSite: parts.contains("SameSite=None"))
        cookies.withLock { $0[String(pair[0])] = parts.contains("Max-Age=0") ? nil : cookie }
    }
}
