import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import SignInKit

/// A person with a browser at the server's real pages: makes an account there, and presses a button of the page that asks.
struct PagePerson: Sendable {
    let transport: RouterTransport
    var username = "pia"
    var action = "continue"

    /// Goes through the pages.
    ///
    /// - Parameter page: the page that an app opens.
    /// - Returns: where the last page sends the browser.
    /// - Throws: when a page does not lead on.
    func wayBack(from page: URL) async throws -> URL {
        var cookies: [String: String] = [:]
        // The test client names another host, from which the server redirects a request once.
        let query = (page.query().map { "?\($0)&" } ?? "?") + "redirected=1"
        let begun = try await send(.get, page.path() + query, &cookies)
        let path = try #require(begun.headers[.location])
        let account = [
            ("username", username), ("password", "seven ripe oranges"), ("return_to", path),
        ]
        var made = try await send(.post, "/create-account", &cookies, form: account)
        if made.headers[.location] != path {
            // The account exists since an earlier visit.
            made = try await send(.post, "/sign-in/password", &cookies, form: account)
        }
        try #require(made.headers[.location] == path, "\(String(buffer: made.body))")
        let asking = String(buffer: try await send(.get, path, &cookies).body)
        let fields = try ["request", "session"].map { ($0, try hidden($0, in: asking)) }
        let end = try await send(
            .post,
            "/sign-in/app/confirm",
            &cookies,
            form: fields + [("action", action)]
        )
        let refresh = HTTPField.Name("Refresh").flatMap { end.headers[$0] }
        let address = end.headers[.location] ?? refresh.map { String($0.trimmingPrefix("0; url=")) }
        return try #require(address.flatMap { URL(string: $0) })
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ uri: String,
        _ cookies: inout [String: String],
        form: [(String, String)] = []
    ) async throws -> TestResponse {
        var headers: HTTPFields = [
            .accept: "text/html", .origin: AppWorld.server,
            .contentType: "application/x-www-form-urlencoded",
        ]
        if !cookies.isEmpty {
            headers[.cookie] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        }
        let body = form.map { "\($0.0)=\(encoded($0.1))" }.joined(separator: "&")
        let response = try await transport.browse(method, uri, headers: headers, body: body)
        for field in response.headers[values: .setCookie] {
            let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
        }
        return response
    }

    private func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private func hidden(_ name: String, in page: String) throws -> String {
        let start = try #require(page.range(of: "name=\"\(name)\" value=\""))
        return String(page[start.upperBound...].prefix { $0 != "\"" })
    }
}
