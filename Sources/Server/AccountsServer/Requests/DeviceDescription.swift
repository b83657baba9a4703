import HTTPTypes

/// Names by which users recognise their browser or app.
enum DeviceDescription {
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"),
        ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"),
        ("Windows", "Windows"), ("Mac OS X", "Mac"), ("Linux", "Linux"),
    ]
    private static let joint = " on "

    /// Safari's own version is not the one of its name.
    private static let safariVersion = "Version/"
    private static let maximumVersionDigitCount = 4

    /// Compares bytes: 20 comparisons of characters would cost more than a sign-in's writes.
    private static func rest(of text: String, after word: String) -> Substring.UTF8View? {
        var rest = text[...].utf8
        while rest.count >= word.utf8.count {
            if rest.starts(with: word.utf8) { return rest.dropFirst(word.utf8.count) }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Returns "Safari 17 on Mac" for a browser, and an app's own name otherwise.
    static func of(_ request: HTTPRequest) -> String {
        let text = request.headerFields[.userAgent] ?? ""
        return browser(text) ?? text
    }

    /// Returns a name for the audit log without any text that the user chooses: a browser, or an
    /// app's product and version, such as "Juice/1.0", or an empty string.
    ///
    /// Source: [RFC 9110, section 10.1.5](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.5)
    static func program(of request: HTTPRequest) -> String {
        let text = request.headerFields[.userAgent] ?? ""
        return browser(text) ?? product(text) ?? ""
    }

    /// Returns the first word if it is a short name, a slash and a short version.
    ///
    /// A regular expression would be parsed at each call, which costs a quarter of a sign-in.
    private static func product(_ text: String) -> String? {
        let word = text.utf8.prefix { $0 != UInt8(ascii: " ") }
        let parts = word.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...32).contains($0.count) }),
            parts.joined().allSatisfy(isOfName)
        else { return nil }
        return String(Substring(word))
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Returns the name of a browser and its system; nil for other clients.
    private static func browser(_ text: String) -> String? {
        let found = browsers.lazy.compactMap { mark, name in
            rest(of: text, after: mark).map { (name: name, rest: $0) }
        }
        guard let browser = found.first else { return nil }
        let versioned =
            browser.name == "Safari" ? rest(of: text, after: safariVersion) : browser.rest
        let version = versioned.flatMap(majorVersion)
        let system = systems.first { rest(of: text, after: $0.0) != nil }?.1
        return [browser.name, version.map { " " + $0 }, system.map { joint + $0 }]
            .compactMap(\.self).joined()
    }

    /// The number at the beginning, or after the rest of the product's name, such as the "A/" of "EdgA/".
    private static func majorVersion(_ text: Substring.UTF8View) -> String? {
        let number = text.drop { !isDigit($0) && $0 != UInt8(ascii: " ") }
            .prefix(maximumVersionDigitCount).prefix(while: isDigit)
        return number.isEmpty ? nil : String(Substring(number))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Translates a stored name for a page.
    static func text(of device: String, in text: PageText) -> String {
        known(device, in: text) ?? (device.isEmpty ? text["unknownDevice"] : device)
    }

    /// Translates a stored name for an unauthenticated client, without text of the client.
    static func strangersText(of device: String, in text: PageText) -> String {
        known(device, in: text) ?? text["unknownDevice"]
    }

    private static func known(_ device: String, in text: PageText) -> String? {
        let parts = device.split(separator: joint, maxSplits: 1).map(String.init)
        guard let browser = parts.first, isBrowser(browser) else { return nil }
        guard parts.count == 2 else { return browser }
        return systems.first { $0.1 == parts[1] }.map {
            text.text("browserOnSystem", ["browser": browser, "system": $0.1])
        }
    }

    /// Whether it is the name of a browser, with a version or without.
    private static func isBrowser(_ text: String) -> Bool {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        return browsers.contains { $0.1 == words[0] }
            && words.dropFirst().allSatisfy {
                (1...maximumVersionDigitCount).contains($0.utf8.count)
                    && $0.utf8.allSatisfy(isDigit)
            }
            && words.count <= 2
    }
}
