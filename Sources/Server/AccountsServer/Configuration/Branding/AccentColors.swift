import Foundation

/// The color of links and buttons, and of the text on buttons, on light and on dark pages.
package struct AccentColors: Hashable, Sendable {
    static let settingName = "SIWA_BRAND_COLOR"
    /// The contrast of text.
    ///
    /// Source: [WCAG 2.2, 1.4.3](https://www.w3.org/TR/WCAG22/#contrast-minimum)
    static let minimumContrast = 4.5
    /// The page's background in light mode; its cards are lighter.
    static let lightPage = WebColor(hex: 0xF6F4F1)
    /// The background of cards in dark mode; the page is darker.
    static let darkCard = WebColor(hex: 0x211E1B)

    let light: WebColor
    let lightText: WebColor
    let dark: WebColor
    let darkText: WebColor

    package static let standard = AccentColors(
        light: WebColor(hex: 0xB6420A),
        lightText: .white,
        dark: WebColor(hex: 0xF59A5C),
        darkText: WebColor(hex: 0x2A1203)
    )
}

extension AccentColors {
    /// Reads `#rrggbb`, of which dark pages get a lighter shade; throws ``ConfigurationError``.
    package init(_ text: String) throws(ConfigurationError) {
        guard let color = WebColor(text) else {
            throw ConfigurationError(
                Self.settingName,
                "is not a color of the form #rrggbb",
                fix: "use six hexadecimal digits, such as #1d4ed8"
            )
        }
        let ratio = color.contrast(to: Self.lightPage)
        guard ratio >= Self.minimumContrast else {
            let darker = color.mixed(
                with: .black,
                untilContrast: Self.minimumContrast,
                to: Self.lightPage
            )
            // Rounded down, because 4.49 must not read as 4.5.
            let shown = String(format: "%.2f", (ratio * 100).rounded(.down) / 100)
            throw ConfigurationError(
                Self.settingName,
                "has a contrast of \(shown):1 to the pages; links and buttons need \(Self.minimumContrast):1",
                fix: "use a darker color, such as \(darker.text)"
            )
        }
        self.init(
            light: color,
            lightText: .white,
            dark: color.mixed(
                with: .white,
                untilContrast: Self.minimumContrast,
                to: Self.darkCard
            ),
            darkText: .black
        )
    }

    /// The rules of the style sheet.
    var styleRules: String {
        """
        :root { --accent: \(light.text); --accent-text: \(lightText.text); }
        @media (prefers-color-scheme: dark) {
          :root { --accent: \(dark.text); --accent-text: \(darkText.text); }
        }

        """
    }
}
