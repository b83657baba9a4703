import AppleIdentity
import Foundation

/// One sign-in in one browser, step by step.
struct Visit: Sendable {
    /// The limit of the server's pages before Apple's.
    private static let maximumPageCount = 4

    private let target: CheckTarget
    var browser: WebBrowser
    /// The authorization request to which the server redirected the browser.
    private(set) var request: [WebField] = []
    /// Every URL to which the server redirected.
    private(set) var locations: [URL] = []
    /// The server's page that posted Apple's form again; nil if there was none.
    private(set) var repetition: WebAnswer?
    private var authorizeURL: URL

    /// The origin of Apple's pages.
    var appleOrigin: String { WebAddress.origin(of: authorizeURL) }

    init(_ target: CheckTarget, client: WebClient, _ rules: SameSiteRules) {
        self.target = target
        authorizeURL = target.start
        browser = WebBrowser(client, rules)
    }

    /// Follows the server's pages up to the authorization request.
    mutating func begin(_ extra: [WebField] = []) async throws(CheckError) {
        var answer = try await browser.get(WebAddress.adding(extra, to: target.start))
        for _ in 0..<Self.maximumPageCount {
            answer = try await follow(answer, .sameSite)
            if let location = answer.location {
                guard Self.isAuthorize(location) else { break }
                authorizeURL = emulated(location)
                request = WebAddress.fields(of: location.query(percentEncoded: true))
                return
            }
            guard let next = try await press(WebPage(answer.text), on: answer.url) else { break }
            answer = next
        }
        guard !answer.isOverload else {
            throw .overload("GET \(target.start.absoluteString)", answer.status)
        }
        throw CheckError(
            "\(target.start.absoluteString) does not lead to Apple: it responds with \(answer.status)",
            hint: "give the URL where the sign-in begins, or of a page that leads there"
        )
    }

    /// The same URL at the emulator.
    private func emulated(_ url: URL) -> URL {
        guard let apple = target.apple,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        (components.scheme, components.host, components.port) = (
            apple.scheme, apple.host(), apple.port
        )
        return components.url ?? url
    }

    private mutating func press(
        _ page: WebPage,
        on url: URL
    ) async throws(CheckError) -> WebAnswer? {
        let forms = page.forms.filter { ($0.action + $0.text).lowercased().contains("apple") }
        if let link = page.links.first(where: { Self.isAboutApple($0) }), forms.isEmpty,
            let address = WebAddress.resolve(link.address, from: url)
        {
            guard Self.isAuthorize(address) else { return try await browser.get(address) }
            let headers = [(name: "location", value: link.address)]
            return WebAnswer(url: url, status: 303, headers: headers, body: Data())
        }
        guard let form = forms.first ?? (page.forms.count == 1 ? page.forms.first : nil),
            let address = form.address(on: url)
        else { return nil }
        guard form.method == "POST" else {
            return try await browser.get(WebAddress.adding(form.fields, to: address))
        }
        let origin = WebAddress.origin(of: url)
        return try await browser.post(form.fields, to: address, origin: origin, .sameSite)
    }

    private static func isAboutApple(_ link: WebPage.Link) -> Bool {
        (link.address + link.text).lowercased().contains("apple")
    }

    mutating func decide(
        _ apple: EmulatedApple,
        _ decision: JSONObject,
        switches: JSONObject? = nil
    ) async throws(CheckError) -> AppleAnswer {
        try await authorize(
            WebAddress.adding(Self.fields(decision, switches), to: authorizeURL),
            apple
        )
    }

    /// The parameters that decide an authorization request, which use no decision of others.
    private static func fields(_ decision: JSONObject, _ switches: JSONObject?) -> [WebField] {
        decision.members.map { WebField("siwa_" + $0.name, $0.value.plainText) }
            + (switches.map { [WebField("siwa_switches", $0.text)] } ?? [])
    }

    /// Continues on Apple's page with another request than the server's.
    mutating func askApple(
        _ apple: EmulatedApple,
        _ request: [WebField],
        as person: CheckPerson,
        switches: JSONObject? = nil
    ) async throws(CheckError) -> AppleAnswer {
        let decision: JSONObject = ["person": .string(person.email), "email": "share"]
        var components = URLComponents(url: authorizeURL, resolvingAgainstBaseURL: true)
        components?.query = nil
        return try await authorize(
            WebAddress.adding(
                request + Self.fields(decision, switches),
                to: components?.url ?? authorizeURL
            ),
            apple
        )
    }

    private mutating func authorize(
        _ url: URL,
        _ apple: EmulatedApple
    ) async throws(CheckError) -> AppleAnswer {
        let page = try await browser.get(url, .crossSiteGet)
        if let answer = AppleAnswer(page) { return answer }
        throw CheckError(
            "Apple's page at \(WebAddress.origin(of: authorizeURL)) responded with \(page.status)"
                + " and did not redirect: \(await apple.lastRefusal() ?? "the reason is unknown")",
            hint:
                "let the server use the emulator without --strict, and register its client ID and URLs in"
                + " the seed of --config, or at the emulator of --control"
        )
    }

    /// Delivers Apple's response to the server, as the browser does, and follows its redirects.
    ///
    /// Also submits the form of a page of the server that posts the same fields again, as its script does.
    mutating func deliver(_ answer: AppleAnswer) async throws(CheckError) -> WebAnswer {
        let navigation: WebNavigation = answer.isForm ? .crossSitePost : .crossSiteGet
        let first: WebAnswer
        if answer.isForm {
            let origin = WebAddress.origin(of: authorizeURL)
            first = try await browser.post(
                answer.fields,
                to: answer.url,
                origin: origin,
                navigation
            )
        } else {
            first = try await browser.get(
                WebAddress.adding(answer.fields, to: answer.url),
                navigation
            )
        }
        let reply = try await follow(first, navigation)
        guard answer.isForm, let (fields, address) = reply.form(repeating: answer.fields) else {
            return reply
        }
        repetition = reply
        let origin = WebAddress.origin(of: reply.url)
        let second = try await browser.post(
            fields,
            to: address,
            origin: origin,
            .sameSite,
            isByUser: false
        )
        return try await follow(second, .sameSite, isByUser: false)
    }

    /// Sends a request as this browser, and follows its redirects within the server.
    mutating func send(_ request: CheckRequest) async throws(CheckError) -> WebAnswer {
        try await follow(try await browser.send(request.web, .sameSite), .sameSite)
    }

    /// Deletes the account, with a request or with the form on a page.
    mutating func delete(_ deletion: CheckRequest) async throws(CheckError) -> WebAnswer {
        guard deletion.method == "GET" else { return try await send(deletion) }
        let page = try await browser.get(deletion.url)
        let forms = WebPage(page.text).forms.filter { $0.method == "POST" }
        let form = forms.first { $0.action.contains("delet") } ?? forms.first
        guard let form,
            let address = form.address(on: deletion.url)
        else {
            throw CheckError(
                "the page to delete an account responded with \(page.status) and has no form",
                hint: "give --delete 'GET PATH' of the page with the form, or 'DELETE PATH'"
            )
        }
        let origin = WebAddress.origin(of: deletion.url)
        let answer = try await browser.post(form.fields, to: address, origin: origin, .sameSite)
        return try await follow(answer, .sameSite)
    }

    /// Opens the page that shows which user is signed in.
    mutating func look() async throws(CheckError) -> Snapshot {
        let answer = try await browser.get(target.whoAmI)
        let name = "GET \(target.whoAmI.absoluteString)"
        guard !answer.isOverload else { throw .overload(name, answer.status) }
        guard answer.status < 500 else {
            throw CheckError(
                "\(name) responded with \(answer.status), which does not show who is signed in",
                hint: "find the reason in the server's log"
            )
        }
        return Snapshot(answer)
    }

    /// Follows redirects within the server, and records their URLs.
    private mutating func follow(
        _ answer: WebAnswer,
        _ navigation: WebNavigation,
        isByUser: Bool = true
    ) async throws(CheckError) -> WebAnswer {
        var seen: [URL] = answer.location.map { [$0] } ?? []
        let hosts = Set([answer.url.host(), target.start.host(), target.whoAmI.host()])
        let last = try await browser.follow(answer, navigation, isByUser: isByUser) { location in
            seen.append(location)
            return hosts.contains(location.host()) && !Self.isAuthorize(location)
        }
        locations += seen
        return last
    }

    static func isAuthorize(_ url: URL) -> Bool {
        url.path().hasSuffix("/auth/authorize")
            && WebAddress.fields(of: url.query(percentEncoded: true))["client_id"] != nil
    }
}
