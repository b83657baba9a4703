import Foundation

/// A browser with cookies and redirects, but without scripts.
package struct Browser<Client: BrowserClient>: Sendable {
    /// The limit of redirects; browsers follow 20.
    package static var maximumRedirectCount: Int { 20 }

    package var cookies = CookieJar()
    private let client: Client
    private let name: String

    /// Opens a browser that names itself `name` in `User-Agent`.
    package init(_ client: Client, _ rules: SameSiteRules, name: String = "siwa check") {
        (self.client, self.name) = (client, name)
        cookies.rules = rules
    }

    /// Opens a URL, without following redirects.
    package mutating func get(
        _ url: URL,
        _ navigation: WebNavigation = .sameSite,
        isByUser: Bool = true
    ) async throws(Client.Failure) -> WebAnswer {
        try await send(WebRequest(url: url), navigation, isByUser: isByUser)
    }

    /// Sends a form, without following redirects.
    package mutating func post(
        _ fields: [WebField],
        to url: URL,
        origin: String,
        _ navigation: WebNavigation,
        isByUser: Bool = true
    ) async throws(Client.Failure) -> WebAnswer {
        var request = WebRequest(method: "POST", url: url)
        request.body = Data(fields.encoded.utf8)
        request.fields = [
            ("Content-Type", "application/x-www-form-urlencoded"), ("Origin", origin),
        ]
        return try await send(request, navigation, isByUser: isByUser)
    }

    /// Sends a request, which the user or a script began.
    package mutating func send(
        _ request: WebRequest,
        _ navigation: WebNavigation,
        isByUser: Bool = true
    ) async throws(Client.Failure) -> WebAnswer {
        var request = request
        let site =
            switch navigation {
            case .sameSite: "same-origin"
            case .crossSiteGet, .crossSitePost: "cross-site"
            }
        request.fields += [
            ("User-Agent", "Mozilla/5.0 (\(name))"), ("Sec-Fetch-Site", site),
            ("Accept", "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8"),
        ]
        request.fields += Self.metadata(
            of: request,
            isByUser: isByUser && navigation != .crossSitePost
        )
        if let field = cookies.field(for: request.url, navigation) {
            request.fields.append(("Cookie", field))
        }
        let answer = try await client.send(request)
        cookies.store(answer, at: client.now)
        return answer
    }

    /// What browsers report about a request: a page's script sends JSON and other methods than forms.
    ///
    /// Apple's form is sent by a script, without a gesture of the user.
    /// Source: [Fetch Metadata](https://www.w3.org/TR/fetch-metadata/)
    private static func metadata(
        of request: WebRequest,
        isByUser: Bool
    ) -> [(name: String, value: String)] {
        let isForm = request.fields.contains { $0.value == "application/x-www-form-urlencoded" }
        guard request.method == "GET" || isForm else {
            return [("Sec-Fetch-Mode", "cors"), ("Sec-Fetch-Dest", "empty")]
        }
        let fields = [("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]
        return isByUser ? fields + [("Sec-Fetch-User", "?1")] : fields
    }

    /// Follows redirects until the last one, or one that `isFollowed` refuses.
    ///
    /// After a form of another site, the redirects count as cross-site requests, which no user began.
    package mutating func follow(
        _ answer: WebAnswer,
        _ navigation: WebNavigation,
        isByUser: Bool = true,
        while isFollowed: (URL) -> Bool
    ) async throws(Client.Failure) -> WebAnswer {
        var answer = answer
        let next: WebNavigation =
            switch navigation {
            case .sameSite: .sameSite
            case .crossSiteGet, .crossSitePost: .crossSiteGet
            }
        for _ in 0..<Self.maximumRedirectCount {
            guard let location = answer.location, isFollowed(location) else { return answer }
            answer = try await get(
                location,
                next,
                isByUser: isByUser && navigation != .crossSitePost
            )
        }
        return answer
    }
}
