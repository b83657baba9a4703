import AppleEmulator
import HTMLPages

struct ButtonDrawing {
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

    private var fontSize: Double {
        rounded(
            AppleButton.titleSize(
                of: titles[picture.kind],
                width: Double(picture.width),
                height: Double(picture.height)
            )
        )
    }

    private var titled: String {
        let logoSide = rounded(fontSize * AppleButton.logoSize * logoFactor)
        let gap = fontSize * AppleButton.gap
        let whole = logoSide + gap + AppleButton.width(of: titles[picture.kind]) * fontSize
        let edge = Double(picture.width) * AppleButton.endMargin
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
        let y = rounded((Double(picture.height) - side) / 2 - side * AppleButton.logoRise)
        return """
            <path transform="translate(\(x) \(y)) scale(\(rounded(side / 24)))" fill="\(ink)" \
            d="\(AppleButton.logoPath)"/>
            """
    }

    private func rounded(_ number: Double) -> Double { AppleButton.rounded(number) }
}
