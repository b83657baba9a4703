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

    /// Compares bytes: 20 comparisons of characters would cost more than a sign-in's writes.
    private static func contains(_ text: String, _ word: String) -> Bool {
        var rest = text.utf8[...]
        while rest.count >= word.utf8.count {
            if rest.starts(with: word.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Returns "Safari on Mac" for a browser, and an app's own name otherwise.
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
        let browser = browsers.first { contains(text, $0.0) }?.1
        let system = systems.first { contains(text, $0.0) }?.1
        return switch (browser, system) {
        case (let browser?, let system?): browser + joint + system
        case (let browser?, nil): browser
        default: nil
        }
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
        guard let browser = browsers.first(where: { $0.1 == parts.first })?.1 else { return nil }
        guard parts.count == 2 else { return browser }
        return systems.first { $0.1 == parts[1] }.map {
            text.text("browserOnSystem", ["browser": browser, "system": $0.1])
        }
    }
}
