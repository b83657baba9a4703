import HTTPTypes

/// What a person recognizes their browser or app by.
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

    /// Looks for bytes: comparing characters of a long field twenty times would cost more than the sign-in's writes.
    private static func contains(_ text: String, _ word: String) -> Bool {
        var rest = text.utf8[...]
        while rest.count >= word.utf8.count {
            if rest.starts(with: word.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// "Safari on Mac" for browsers; for anything else what it calls itself.
    static func of(_ request: HTTPRequest) -> String {
        let text = request.headerFields[.userAgent] ?? ""
        return browser(text) ?? text
    }

    /// The same for the audit log, where no word is kept that people choose: of anything but a browser the product with
    /// its version, such as "Juice/1.0", or nothing.
    ///
    /// Source: [RFC 9110, section 10.1.5](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.5)
    static func program(of request: HTTPRequest) -> String {
        let text = request.headerFields[.userAgent] ?? ""
        return browser(text) ?? product(text) ?? ""
    }

    /// The first word, when it is a short name, a slash and a short version.
    ///
    /// Read by hand: Swift parses the pattern of a regular expression anew each time, which costs a quarter of a sign-in.
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

    /// The names of a browser and its system; nil of anything else.
    private static func browser(_ text: String) -> String? {
        let browser = browsers.first { contains(text, $0.0) }?.1
        let system = systems.first { contains(text, $0.0) }?.1
        return switch (browser, system) {
        case (let browser?, let system?): browser + joint + system
        case (let browser?, nil): browser
        default: nil
        }
    }

    /// The same, out of the store, for a page in any language.
    static func text(of device: String, in text: PageText) -> String {
        known(device, in: text) ?? (device.isEmpty ? text["unknownDevice"] : device)
    }

    /// The same for who has proved nothing: known browsers and systems, and no word that people choose.
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
