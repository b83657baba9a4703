import Foundation

/// A request of a browser.
package struct WebRequest: Sendable {
    package var method: String
    package let url: URL
    package var fields: [(name: String, value: String)] = []
    package var body: Data?

    package init(method: String = "GET", url: URL) {
        self.method = method
        self.url = url
    }
}

/// A response to a browser.
package struct WebAnswer: Sendable {
    /// The URL that sent the response.
    package let url: URL
    package let status: Int
    package let headers: [(name: String, value: String)]
    package let body: Data

    package init(url: URL, status: Int, headers: [(name: String, value: String)], body: Data) {
        (self.url, self.status, self.headers, self.body) = (url, status, headers, body)
    }

    package var text: String { String(decoding: body, as: UTF8.self) }
    /// Whether a browser parses it as markup; without a content type, browsers guess.
    package var isPage: Bool {
        guard let type = self["content-type"]?.lowercased() else { return !body.isEmpty }
        return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml+xml")
    }
    package var isOverload: Bool { [429, 503].contains(status) }
    package var retryAfterSeconds: Int? { self["retry-after"].flatMap { Int($0) } }
    package var location: URL? {
        guard (300..<400).contains(status) else { return nil }
        return self["location"].flatMap { WebAddress.resolve($0, from: url) }
    }

    package subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }

    package func values(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name }.map(\.value)
    }
}

/// Sends the requests of a browser, without following redirects.
package protocol BrowserClient: Sendable {
    associatedtype Failure: Error

    /// The time at which cookies are checked for expiry.
    var now: Date { get }

    func send(_ request: WebRequest) async throws(Failure) -> WebAnswer
}
