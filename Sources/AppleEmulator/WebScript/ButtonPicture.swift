import AppleIdentity

/// A picture of the button as an address asks for it.
///
/// Source: [Apple's button images](https://developer.apple.com/documentation/signinwithapple/displaying-sign-in-with-apple-on-other-platforms)
package struct ButtonPicture: Sendable {
    /// How large the logo of a left-aligned button is.
    package enum LogoSize: String, Sendable {
        case small, medium, large
    }

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

    /// Sizes in points; what is outside of them has no picture.
    enum Limit {
        static let width = 130...375
        static let height = 30...64
        static let cornerRadius = 0...50
        static let scale = 1...6
        static let position = 0...182
    }

    /// The least width of a button with a title, in points; pictures are made from 130 on.
    ///
    /// Source: [Human Interface Guidelines](https://developer.apple.com/design/human-interface-guidelines/sign-in-with-apple)
    static let minimumGuidelineWidth = 140

    /// Whether the guidelines want it wider.
    var isNarrow: Bool { style != .logoOnly && width < Self.minimumGuidelineWidth }

    /// Reads the parameters of an address; one without a meaning changes nothing.
    ///
    /// - Throws: a refusal that names the parameter which is out of its limits.
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

    private enum Color: String {
        case black, white
    }

    private enum Switch: String {
        case on = "true"
        case off = "false"
    }

    private static func word<Word: RawRepresentable<String>>(
        _ name: String,
        _ text: String?
    ) throws(OAuthRefusal) -> Word? {
        guard let text else { return nil }
        guard let word = Word(rawValue: text) else {
            throw refusal(name, "has an unknown value")
        }
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
        OAuthRefusal(.notFound, reason: "the picture's parameter \(name) \(problem)")
    }
}
