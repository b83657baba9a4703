import AppleEmulatorTesting
import Testing
import VaporTesting

/// A browser that keeps cookies and sends Apple's form without the `SameSite=Lax` ones.
struct Browser {
    let app: Application
    var cookies: [String: HTTPCookies.Value] = [:]

    static func query(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    @discardableResult
    mutating func get(_ path: String) async throws -> TestingHTTPResponse {
        try await send(.GET, path)
    }

    /// Posts a form of one of the server's own pages.
    @discardableResult
    mutating func post(_ path: String, _ form: String = "") async throws -> TestingHTTPResponse {
        try await send(.POST, path, form, site: "same-origin")
    }

    /// Begins a sign-in, and decides on Apple's page.
    mutating func visitApple(
        _ apple: TestApple,
        isContinuing: Bool = true
    ) async throws -> TestCallback {
        let begun = try await get("/auth/apple?return_to=/account")
        let location = try #require(begun.headers.first(name: .location))
        let page = try #require(URL(string: location))
        return try await apple.authorize(page, isContinuing: isContinuing)
    }

    /// Posts what Apple's page made, as its page does.
    mutating func bring(_ callback: TestCallback) async throws -> TestingHTTPResponse {
        let form = String(decoding: callback.formBody, as: UTF8.self)
        return try await send(.POST, "/auth/apple/callback", form, site: "cross-site")
    }

    /// Signs in with Apple, all the way.
    @discardableResult
    mutating func signIn(_ apple: TestApple) async throws -> TestingHTTPResponse {
        let answer = try await bring(visitApple(apple))
        #expect(answer.headers.first(name: .location) == "/account")
        return answer
    }

    mutating func send(
        _ method: HTTPMethod,
        _ path: String,
        _ form: String = "",
        site: String = "none"
    ) async throws -> TestingHTTPResponse {
        var headers: HTTPHeaders = ["Accept": "text/html", "Sec-Fetch-Site": site]
        if method == .POST { headers.contentType = .urlEncodedForm }
        let sent = cookies.filter { site != "cross-site" || $0.value.sameSite == .some(.none) }
            .map { "\($0.key)=\($0.value.string)" }
        if !sent.isEmpty { headers.add(name: .cookie, value: sent.joined(separator: "; ")) }
        let answer = try await app.testing()
            .sendRequest(method, path, headers: headers, body: ByteBuffer(string: form))
        for (name, cookie) in answer.headers.setCookie?.all ?? [:] {
            let isOver = cookie.maxAge == 0 || cookie.expires.map { $0 < Date() } == true
            cookies[name] = isOver ? nil : cookie
        }
        return answer
    }
}
