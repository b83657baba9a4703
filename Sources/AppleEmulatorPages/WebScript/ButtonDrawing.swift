import AppleEmulator

struct ButtonDrawing {
    /// An apple with a leaf on a square of 24 points, drawn for this emulator: not Apple's logo.
    static let applePath =
        "M12 7.6C10.7 6.5 9 6.1 7.3 6.8C4.7 7.8 3.5 10.4 3.9 13.4C4.5 17.3 6.9 21.4 9.4 21.4"
        + "C10.4 21.4 11 20.9 12 20.9C13 20.9 13.6 21.4 14.6 21.4C17.1 21.4 19.5 17.3 20.1 13.4"
        + "C20.5 10.4 19.3 7.8 16.7 6.8C15 6.1 13.3 6.5 12 7.6Z"
        + "M12.1 5.9C12 3.7 13.6 1.9 16 1.700C16.2 4.1 14.5 5.9 12.1 5.9Z"

    /// The logo's side and the space after it, in parts of the font's size.
    private static let logoSize = 1.35
    private static let gap = 0.25

    private let picture: ButtonPicture
    private let titles: ButtonTitles

    init(_ picture: ButtonPicture, _ titles: ButtonTitles) {
        self.picture = picture
        self.titles = titles
    }

    var text: String {
        let width = picture.width
        let height = picture.height
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width * picture.scale)" \
            height="\(height * picture.scale)" viewBox="0 0 \(width) \(height)" role="img" \
            aria-label="\(label)" lang="\(titles.languageTag)">
            \(background)
            \(picture.style == .logoOnly ? logo(side: Double(height) * 0.62, x: nil) : titled)
            </svg>

            """
    }

    private var label: String { picture.style == .logoOnly ? "Apple" : titles[picture.kind] }

    private var ink: String { picture.isBlack ? "#fff" : "#000" }

    /// The background; its border is inside the edge because it would be cut off there.
    private var background: String {
        let inset = picture.hasBorder ? 0.5 : 0
        let radius = max(0, Double(picture.cornerRadius) - inset)
        return """
            <rect x="\(inset)" y="\(inset)" width="\(Double(picture.width) - 2 * inset)" \
            height="\(Double(picture.height) - 2 * inset)" rx="\(radius)" \
            fill="\(picture.isBlack ? "#000" : "#fff")"\
            \(picture.hasBorder ? " stroke=\"#000\"" : "")/>
            """
    }

    private var titleWidth: Double { ButtonTitles.width(of: titles[picture.kind]) }

    /// A title has 43 % of the height, or less if the margins of 8 % require it.
    ///
    /// Source: [Human Interface Guidelines](https://developer.apple.com/design/human-interface-guidelines/sign-in-with-apple)
    private var fontSize: Double {
        let room = Double(picture.width) * 0.84
        return rounded(
            min(Double(picture.height) * 0.43, room / (titleWidth + Self.gap + Self.logoSize))
        )
    }

    private var titled: String {
        let logoSide = rounded(fontSize * Self.logoSize * logoFactor)
        let gap = fontSize * Self.gap
        let whole = logoSide + gap + titleWidth * fontSize
        let edge = Double(picture.width) * 0.08
        // A right-to-left title has its logo on the right.
        let isMirrored = titles.isRightToLeft
        var logoX = picture.style == .leftAligned ? edge : (Double(picture.width) - whole) / 2
        logoX = picture.logoPosition.map(Double.init) ?? logoX
        let titleX = picture.labelPosition.map(Double.init) ?? (logoX + logoSide + gap)
        let width = Double(picture.width)
        return logo(side: logoSide, x: isMirrored ? width - logoX - logoSide : logoX)
            + "\n" + title(x: isMirrored ? width - titleX : titleX)
    }

    private var logoFactor: Double {
        guard picture.style == .leftAligned else { return 1 }
        return switch picture.logoSize {
        case .small: 1
        case .medium: 1.2
        case .large: 1.4
        }
    }

    private func title(x: Double) -> String {
        """
        <text x="\(rounded(x))" y="\(rounded(Double(picture.height) / 2 + fontSize * 0.35))" \
        font-family="system-ui, -apple-system, 'Helvetica Neue', Arial, sans-serif" \
        font-size="\(fontSize)" font-weight="500" fill="\(ink)"\
        \(titles.isRightToLeft ? " direction=\"rtl\"" : "")>\
        \(titles[picture.kind])</text>
        """
    }

    /// The logo, centred vertically; without `x`, also horizontally.
    private func logo(side: Double, x: Double?) -> String {
        let x = rounded(x ?? (Double(picture.width) - side) / 2)
        // The leaf makes the logo look low, so it is a little above the middle.
        let y = rounded((Double(picture.height) - side) / 2 - side * 0.04)
        return """
            <path transform="translate(\(x) \(y)) scale(\(rounded(side / 24)))" fill="\(ink)" \
            d="\(Self.applePath)"/>
            """
    }

    private func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }
}
