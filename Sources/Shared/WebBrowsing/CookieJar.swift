import AppleIdentity
import Foundation

/// A cookie with the attributes that the checks need.
///
/// Source: [RFC 6265bis](https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-22.html)
package struct WebCookie: Hashable, Sendable {
    package enum SameSite: String, Hashable, Sendable {
        case strict, lax, none
    }

    /// The limit of a name with its value, as in browsers.
    private static let maximumByteCount = 4096

    package let name: String
    package private(set) var value: String
    /// The host of the response, or the domain that the cookie names.
    package fileprivate(set) var domain = ""
    /// Whether it is sent to the domain itself only.
    package fileprivate(set) var isHostOnly = true
    package fileprivate(set) var path = "/"
    package var isSecure = false
    package var isHTTPOnly = false
    /// Nil if the server sent no `SameSite`.
    package var sameSite: SameSite?
    package var isOver = false

    /// Parses a `Set-Cookie` field; nil if it is invalid.
    package init?(_ field: String, from url: URL, at now: Date) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard let pair = parts.first, let place = pair.firstIndex(of: "=") else { return nil }
        name = pair[..<place].trimmingCharacters(in: .whitespaces)
        value = pair[pair.index(after: place)...].trimmingCharacters(in: .whitespaces)
        var expiry: (maximumAge: Int?, date: Date?) = (nil, nil)
        path = Self.folder(of: url)
        domain = url.host()?.lowercased() ?? ""
        for part in parts.dropFirst() { read(part, &expiry) }
        guard CookieJar.isDomain(domain, of: url),
            name.utf8.count + value.utf8.count <= Self.maximumByteCount
        else { return nil }
        let hasPath = parts.dropFirst().contains { $0.lowercased().hasPrefix("path") }
        guard keepsPrefix(hasPath: hasPath) else { return nil }
        // RFC 6265bis, section 5.7: Max-Age takes precedence over Expires.
        // https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-22.html
        isOver = expiry.maximumAge.map { $0 <= 0 } ?? expiry.date.map { $0 <= now } ?? false
    }

    /// Whether the cookie has the attributes that the prefix of its name requires.
    ///
    /// Source: [RFC 6265bis, section 4.1.3](https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-22.html)
    private func keepsPrefix(hasPath: Bool) -> Bool {
        let prefixed = name.lowercased()
        if prefixed.hasPrefix("__host-") { return isSecure && isHostOnly && hasPath && path == "/" }
        return !prefixed.hasPrefix("__secure-") || isSecure
    }

    /// The default path: that of the response up to its last slash.
    private static func folder(of url: URL) -> String {
        let path = url.path()
        guard path.hasPrefix("/"), let end = path.lastIndex(of: "/"), end > path.startIndex else {
            return "/"
        }
        return String(path[..<end])
    }

    package func with(_ value: String) -> WebCookie {
        var cookie = self
        cookie.value = value
        return cookie
    }

    private mutating func read(
        _ attribute: String,
        _ expiry: inout (maximumAge: Int?, date: Date?)
    ) {
        let pair = attribute.split(separator: "=", maxSplits: 1).map(String.init)
        let value = pair.count > 1 ? pair[1].trimmingCharacters(in: .whitespaces) : ""
        switch pair.first?.lowercased() {
        case "path": if value.hasPrefix("/") { path = value }
        case "domain":
            let named = (value.hasPrefix(".") ? value.dropFirst() : value[...]).lowercased()
            guard !named.isEmpty, named != domain || named.contains(".") else { break }
            (domain, isHostOnly) = (named, false)
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = SameSite(rawValue: value.lowercased())
        case "max-age":
            guard value.wholeMatch(of: /-?[0-9]+/) != nil else { break }
            expiry.maximumAge = Int(value) ?? (value.hasPrefix("-") ? Int.min : Int.max)
        case "expires": expiry.date = CookieDate.read(value) ?? expiry.date
        default: break
        }
    }
}

/// The origin of a request, for `SameSite`.
package enum WebNavigation: Sendable {
    /// From a page of the same site, or typed.
    case sameSite
    /// A link or a redirect from another site.
    case crossSiteGet
    /// A form of another site, such as Apple's `form_post`.
    case crossSitePost

    package func sends(_ sameSite: WebCookie.SameSite) -> Bool {
        switch (self, sameSite) {
        case (.sameSite, _), (_, .none), (.crossSiteGet, .lax): true
        case (.crossSiteGet, .strict), (.crossSitePost, .lax), (.crossSitePost, .strict): false
        }
    }
}

/// How a browser applies `SameSite`.
package enum SameSiteRules: Hashable, Sendable {
    /// A cookie without the attribute is Lax, as in Chromium when it is older than two minutes.
    ///
    /// Source: [SameSite frequently asked questions](https://www.chromium.org/updates/same-site/faq/)
    case silenceIsLax
    /// A cookie without the attribute is sent, as in Firefox and Safari, and for two minutes in Chromium.
    case silenceIsNone
    /// Every cookie is sent, unlike in any browser, for a server whose sign-in works in none.
    case ignored

    package func sends(_ cookie: WebCookie, _ navigation: WebNavigation) -> Bool {
        switch self {
        case .ignored: true
        case .silenceIsLax: navigation.sends(cookie.sameSite ?? WebCookie.SameSite.lax)
        case .silenceIsNone: navigation.sends(cookie.sameSite ?? WebCookie.SameSite.none)
        }
    }
}

/// The cookies of one browser.
package struct CookieJar: Sendable {
    /// The limit of cookies; browsers keep at least 50 for a domain.
    package static let maximumCookieCount = 1_000

    private var cookies: [WebCookie] = []
    package var rules = SameSiteRules.silenceIsNone
    /// Whether to accept `Secure` cookies from this machine over HTTP, as Chromium and Firefox do and Safari does not.
    ///
    /// Source: [WebKit bug 281149](https://bugs.webkit.org/show_bug.cgi?id=281149)
    package var takesSecureByHTTP = true

    package init() {}

    package mutating func store(_ answer: WebAnswer, at now: Date) {
        let isPlain = answer.url.scheme != "https"
        for cookie in answer.values("set-cookie")
            .compactMap({ WebCookie($0, from: answer.url, at: now) })
        {
            if isPlain, cookie.isSecure, !takesSecureByHTTP { continue }
            // Browsers refuse SameSite=None without Secure.
            if rules != .ignored, cookie.sameSite == .some(.none), !cookie.isSecure { continue }
            remove(cookie)
            guard !cookie.isOver else { continue }
            guard cookies.count < Self.maximumCookieCount else { continue }
            cookies.append(cookie)
        }
    }

    /// The `Cookie` field of a request; nil without cookies.
    package func field(for url: URL, _ navigation: WebNavigation) -> String? {
        let path = url.path().isEmpty ? "/" : url.path()
        let sent = cookies(of: url).filter { cookie in
            rules.sends(cookie, navigation) && Self.matches(path, cookie.path)
                && (!cookie.isSecure || Self.isTrustworthy(url))
        }
        guard !sent.isEmpty else { return nil }
        return sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// The cookies for a host, with all its ports and paths.
    package func cookies(of url: URL) -> [WebCookie] {
        cookies.filter { cookie in
            let host = url.host()?.lowercased() ?? ""
            return cookie.isHostOnly
                ? host == cookie.domain : Self.isDomain(cookie.domain, of: url)
        }
    }

    package var all: Set<WebCookie> { Set(cookies) }

    /// Adds a cookie that no response has set.
    package mutating func put(_ cookie: WebCookie) { cookies.append(cookie) }

    package mutating func remove(_ cookie: WebCookie) {
        cookies.removeAll {
            $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
        }
    }

    /// Whether a host belongs to a domain; a single label is no domain of other hosts.
    ///
    /// Source: [RFC 6265bis, section 5.1.3](https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-22.html)
    package static func isDomain(_ domain: String, of url: URL) -> Bool {
        let host = url.host()?.lowercased() ?? ""
        guard host != domain else { return true }
        let isName = host.contains { $0.isLetter } && !host.contains(":")
        return isName && domain.contains(".") && host.hasSuffix("." + domain)
    }

    private static func matches(_ path: String, _ prefix: String) -> Bool {
        path == prefix
            || path.hasPrefix(prefix.hasSuffix("/") ? prefix : prefix + "/")
    }

    /// Browsers trust this machine as they trust TLS.
    private static func isTrustworthy(_ url: URL) -> Bool {
        url.scheme == "https" || LoopbackHost.contains(url.host() ?? "")
    }
}

/// The time of a cookie's `Expires`, whose parts may be in any order.
///
/// Source: [RFC 6265bis, section 5.1.1](https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-22.html)
package enum CookieDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Parses a time; nil if a part is missing or invalid.
    package static func read(_ text: String) -> Date? {
        var parts = DateComponents(timeZone: .gmt)
        for word in text.lowercased().split(whereSeparator: { !isPart($0) }) {
            read(word, &parts)
        }
        guard parts.hour != nil, parts.day != nil, parts.month != nil, let year = parts.year,
            year >= 1601
        else { return nil }
        return Calendar(identifier: .gregorian).date(from: parts)
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == ":")
    }

    /// Assigns a word to the first missing part that it matches.
    private static func read(_ word: Substring, _ parts: inout DateComponents) {
        if parts.hour == nil,
            let time = word.prefixMatch(of: /([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})/)
        {
            (parts.hour, parts.minute, parts.second) = (Int(time.1), Int(time.2), Int(time.3))
        } else if parts.day == nil, word.wholeMatch(of: /[0-9]{1,2}/) != nil {
            parts.day = Int(word)
        } else if parts.month == nil, let month = months.firstIndex(of: String(word.prefix(3))) {
            parts.month = month + 1
        } else if parts.year == nil, word.wholeMatch(of: /[0-9]{2}|[0-9]{4}/) != nil {
            parts.year = Int(word).map(fullYear)
        }
    }

    private static func fullYear(_ year: Int) -> Int {
        switch year {
        case 0..<70: year + 2000
        case 70..<100: year + 1900
        default: year
        }
    }
}
