import HTTPTypes

/// A button image, as requested by a URL.
///
/// Source: [Apple's button images](https://developer.apple.com/documentation/signinwithapple/displaying-sign-in-with-apple-on-other-platforms)
package struct ButtonPicture: Sendable {
    package enum LogoSize: String, Sendable { case small, medium, large }

    package let style: ButtonStyle
    package let locale: String
    package var kind = ButtonKind.signIn
    package var width = 140
    package var height = 30
    package var isBlack = true
    package var hasBorder = false
    package var cornerRadius = 15
    package var scale = 1
    package var logoSize = LogoSize.small
    package var logoPosition: Int?
    package var labelPosition: Int?

    /// The limits of sizes, in points; there is no image outside of them.
    enum Limit {
        static let width = 130...375
        static let height = 30...64
        static let cornerRadius = 0...50
        static let scale = 1...6
        static let position = 0...182
    }

    /// The guidelines' minimum width of a button with a title, in points; images begin at 130.
    ///
    /// Source: [Human Interface Guidelines](https://developer.apple.com/design/human-interface-guidelines/sign-in-with-apple)
    static let minimumGuidelineWidth = 140

    var isNarrow: Bool { style != .logoOnly && width < Self.minimumGuidelineWidth }

    /// Reads the parameters of a URL; unknown ones are ignored.
    init(_ style: ButtonStyle, _ fields: FormFields) throws(OAuthRefusal) {
        self.style = style
        let known = style.parameters
        func text(_ name: String) -> String? { known.contains(name) ? fields.sent(name) : nil }
        locale = text("locale") ?? ButtonLocale.standard
        guard ButtonLocale.names.contains(locale) else {
            throw Self.refusal("locale", "is not one of the \(ButtonLocale.names.count) locales")
        }
        kind = try Self.word("type", text("type")) ?? kind
        isBlack = try (Self.word("color", text("color")) ?? Color.black) == .black
        hasBorder = try (Self.word("border", text("border")) ?? Switch.off) == .on
        cornerRadius =
            try Self.number("border_radius", text("border_radius"), Limit.cornerRadius)
            ?? cornerRadius
        scale = try Self.number("scale", text("scale"), Limit.scale) ?? scale
        height = try Self.number("height", text("height"), Limit.height) ?? height
        width = try Self.number("width", text("width"), Limit.width) ?? width
        if style == .logoOnly {
            height = try Self.number("size", text("size"), Limit.height) ?? height
            width = height
        }
        logoSize = try Self.word("logo-size", text("logo-size")) ?? logoSize
        logoPosition = try Self.number("logo-position", text("logo-position"), Limit.position)
        labelPosition = try Self.number("label-position", text("label-position"), Limit.position)
    }

    private enum Color: String { case black, white }

    private enum Switch: String {
        case on = "true"
        case off = "false"
    }

    private static func word<Word: RawRepresentable<String>>(
        _ name: String,
        _ text: String?
    ) throws(OAuthRefusal) -> Word? {
        guard let text else { return nil }
        guard let word = Word(rawValue: text) else { throw refusal(name, "has an unknown value") }
        return word
    }

    private static func number(
        _ name: String,
        _ text: String?,
        _ limit: ClosedRange<Int>
    ) throws(OAuthRefusal) -> Int? {
        guard let text else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            limit.contains(number)
        else {
            throw refusal(name, "is not a number from \(limit.lowerBound) to \(limit.upperBound)")
        }
        return number
    }

    private static func refusal(_ name: String, _ problem: String) -> OAuthRefusal {
        OAuthRefusal(.notFound, reason: "the image's parameter \(name) \(problem)")
    }
}

/// The layout of logo and title in a button image; each has its own path.
package enum ButtonStyle: String, Sendable {
    case centered = "/appleid/button"
    case leftAligned = "/appleid/button/left"
    case logoOnly = "/appleid/button/logo"

    var parameters: Set<String> {
        let common: Set = ["color", "border", "border_radius", "scale"]
        let titled = common.union(["width", "height", "type", "locale"])
        return switch self {
        case .centered: titled
        case .leftAligned: titled.union(["logo-size", "logo-position", "label-position"])
        case .logoOnly: common.union(["size"])
        }
    }
}

/// The title of a button, named as in the data attribute.
package enum ButtonKind: String, CaseIterable, Sendable {
    case signIn = "sign-in"
    case continuing = "continue"
    case signUp = "sign-up"
}

/// The locales of the script and of the button images.
///
/// Source: [Displaying Sign in with Apple on other platforms](https://developer.apple.com/documentation/signinwithapple/displaying-sign-in-with-apple-on-other-platforms)
package enum ButtonLocale {
    static let standard = "en_US"

    package static let names: Set = [
        "ar_SA", "ca_ES", "cs_CZ", "da_DK", "de_DE", "el_GR", "en_GB", "en_US", "es_ES", "es_MX",
        "fi_FI", "fr_CA", "fr_FR", "hr_HR", "hu_HU", "id_ID", "it_IT", "iw_IL", "ja_JP", "ko_KR",
        "ms_MY", "nl_NL", "no_NO", "pl_PL", "pt_BR", "pt_PT", "ro_RO", "ru_RU", "sk_SK", "sv_SE",
        "th_TH", "tr_TR", "uk_UA", "vi_VI", "zh_CN", "zh_HK", "zh_TW",
    ]
}

extension EmulatorState {
    /// The path of the script before its locale.
    static let scriptFolder = "/appleauth/static/jsapi/appleid/1/"
    private static let scriptName = "/appleid.auth.js"

    /// Responds with the script or a button image; nil at any other path.
    func webResource(_ request: HTTPRequest, path: String, query: String) -> Outcome? {
        let style = ButtonStyle(rawValue: path)
        let isScript = path.hasPrefix(Self.scriptFolder) && path.hasSuffix(Self.scriptName)
        guard style != nil || isScript else { return nil }
        guard request.method == .get || request.method == .head else {
            return .methodNotAllowed(request, allowed: "GET")
        }
        do throws(OAuthRefusal) {
            guard let style else { return try script(at: path) }
            let picture = try ButtonPicture(style, FormFields(parsing: query.utf8))
            var outcome = Outcome.page(.button(picture))
            if picture.isNarrow {
                outcome.remark.add(
                    hint: "the Human Interface Guidelines require at least"
                        + " \(ButtonPicture.minimumGuidelineWidth) points"
                )
            }
            return outcome
        } catch {
            return .refusal(OAuthRefusal(.notFound, reason: error.reason, status: .notFound))
        }
    }

    private func script(at path: String) throws(OAuthRefusal) -> Outcome {
        let locale = path.dropFirst(Self.scriptFolder.count).dropLast(Self.scriptName.count)
        guard ButtonLocale.names.contains(String(locale)) else {
            throw OAuthRefusal(
                .notFound,
                reason: "the script has no locale \"\(locale.prefix(32))\""
            )
        }
        return .page(.script(locale: String(locale)))
    }
}
