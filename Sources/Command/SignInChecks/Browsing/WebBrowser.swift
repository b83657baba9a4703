import Foundation

/// A browser with cookies and redirects, but without scripts.
struct WebBrowser: Sendable {
    /// The limit of redirects; browsers follow 20.
    static let maximumRedirectCount = 20

    var cookies = CookieJar()
    private let client: WebClient

    init(_ client: WebClient, _ rules: SameSiteRules) {
        self.client = client
        cookies.rules = rules
    }

    /// Opens a URL, without following redirects.
    mutating func get(
        _ url: URL,
        _ navigation: WebNavigation = .sameSite,
        isByUser: Bool = true
    ) async throws(CheckError) -> WebAnswer {
        try await send(WebRequest(url: url), navigation, isByUser: isByUser)
    }

    /// Sends a form, without following redirects.
    mutating func post(
        _ fields: [WebField],
        to url: URL,
        origin: String,
        _ navigation: WebNavigation,
        isByUser: Bool = true
    ) async throws(CheckError) -> WebAnswer {
        var request = WebRequest(method: "POST", url: url)
        request.body = Data(fields.encoded.utf8)
        request.fields = [
            ("Content-Type", "application/x-www-form-urlencoded"), ("Origin", origin),
        ]
        return try await send(request, navigation, isByUser: isByUser)
    }

    /// Sends a request, which the user or a script began.
    mutating func send(
        _ request: WebRequest,
        _ navigation: WebNavigation,
        isByUser: Bool = true
    ) async throws(CheckError) -> WebAnswer {
        var request = request
        let site =
            switch navigation {
            case .sameSite: "same-origin"
            case .crossSiteGet, .crossSitePost: "cross-site"
            }
        request.fields += [
            ("User-Agent", "Mozilla/5.0 (siwa check)"), ("Sec-Fetch-Site", site),
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
    mutating func follow(
        _ answer: WebAnswer,
        _ navigation: WebNavigation,
        isByUser: Bool = true,
        while isFollowed: (URL) -> Bool
    ) async throws(CheckError) -> WebAnswer {
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
