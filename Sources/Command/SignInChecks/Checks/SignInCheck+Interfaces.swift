import AppleIdentity
import Foundation

/// Checks of what Android apps and pages of other origins reach.
extension SignInCheck {
    static let interfaces = [
        SignInCheck(
            name: "cors-reflection",
            attempt: "requests and preflights from pages of origins that the server cannot know",
            expectation: "no response names such an origin in `Access-Control-Allow-Origin`",
            fix: "Compare `Origin` with a list of whole origins, and send the field to no others.",
            source: .sharing
        ) { context throws(CheckError) in try await context.foreignOrigins() },
        SignInCheck(
            name: "android-redirect",
            attempt: "forms at the URL of --android whose fields name another app or another page",
            expectation: "each leads to the app of an ordinary form, or nowhere",
            fix:
                "Build the redirect from the server's settings, and encode each field of the form in its query.",
            source: .redirector
        ) { context throws(CheckError) in try await context.androidRedirects() },
    ]
}

extension CheckContext {
    fileprivate func foreignOrigins() async throws(CheckError) -> Finding {
        let own = WebAddress.origin(of: target.whoAmI)
        let origins = [
            "https://check.example", own + ".check.example", "https://check.example:443", "null",
        ]
        let urls = [target.tokenSignIn?.url, target.whoAmI].compactMap(\.self)
        let requests = urls.flatMap { url in
            origins.flatMap { origin in
                ["GET", "OPTIONS"].map { method in
                    var request = WebRequest(method: method, url: url)
                    request.fields = [
                        ("Origin", origin), ("Access-Control-Request-Method", "POST"),
                        ("Access-Control-Request-Headers", "authorization"),
                    ]
                    return (origin, request)
                }
            }
        }
        return try await each(requests) { origin, request throws(CheckError) in
            let answer = try await client.send(request)
            switch answer["access-control-allow-origin"] {
            case "*": return .advice("every origin may read \(request.url.absoluteString)")
            case origin:
                return .fails("\(request.method) \(request.url.absoluteString) allows \(origin)")
            default: return .holds("no response names a foreign origin")
            }
        }
    }

    fileprivate func androidRedirects() async throws(CheckError) -> Finding {
        guard let url = target.android else {
            return .notExamined("the URL for Android apps is unknown: give --android")
        }
        let foreign = "com.example.check"
        guard let usual = try await androidTarget(url, [WebField("code", "c0")]) else {
            throw CheckError(
                "POST \(url.absoluteString) leads to no app",
                hint: "give --android the URL to which Apple posts the form of an Android app"
            )
        }
        let values = [
            "c0#Intent;package=\(foreign);scheme=https;end", "c0;end#Intent;package=\(foreign);end",
            "c0&package=\(foreign)", "c0\r\nLocation: https://\(foreign)/", "c0%23Intent;end",
        ]
        let fields =
            values.flatMap { value in
                ["code", "state", "user", "error"].map { [WebField($0, value)] }
            }
            + ["package", "scheme", "redirect_uri", "return_to"].map {
                [WebField("code", "c0"), WebField($0, foreign)]
            }
        let forms =
            fields.map { (url, $0) }
            + fields.suffix(4).map { (WebAddress.adding($0, to: url), $0) }
            + [(url.appending(component: foreign), [WebField("code", "c0")])]
        return try await each(forms) { url, fields throws(CheckError) in
            let target = try await androidTarget(url, fields)
            guard let target, target != usual else { return .holds("each leads to \(usual)") }
            return .fails(
                "\(fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&")) leads to \(target)"
            )
        }
    }

    /// Where the response leads, without the fields of Apple's form: before the query, and after it.
    private func androidTarget(
        _ url: URL,
        _ fields: [WebField]
    ) async throws(CheckError) -> String? {
        var browser = WebBrowser(client, rules)
        let answer = try await browser.post(
            fields,
            to: url,
            origin: usual.appleOrigin,
            .crossSitePost
        )
        let link = answer["location"] ?? WebPage(answer.text).links.first?.address
        guard let link, answer.status < 400 else { return nil }
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let app = parts[0].prefix { $0 != "?" }
        return parts.count > 1 ? "\(app)#\(parts[1])" : String(app)
    }
}
