import Foundation

/// An opaque sRGB color.
package struct WebColor: Hashable, Sendable {
    static let white = WebColor(hex: 0xFFFFFF)
    static let black = WebColor(hex: 0x000000)

    /// Red, green and blue, 0 to 255.
    private let channels: [Double]

    init(hex: UInt32) {
        channels = [hex >> 16, hex >> 8, hex].map { Double($0 & 0xFF) }
    }

    /// Reads `#rrggbb`; nil for any other text.
    init?(_ text: String) {
        guard text.wholeMatch(of: /#[0-9A-Fa-f]{6}/) != nil,
            let hex = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(hex: hex)
    }

    private init(channels: [Double]) { self.channels = channels }

    /// The color as `#rrggbb`.
    var text: String {
        "#" + channels.map { String(format: "%02x", Int($0)) }.joined()
    }

    /// The contrast ratio to another color, 1 to 21.
    ///
    /// Source: [WCAG 2.2, contrast ratio](https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio)
    func contrast(to other: WebColor) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// Returns the first mixture with another color, in steps of 2 %, that has a contrast.
    func mixed(with other: WebColor, untilContrast ratio: Double, to ground: WebColor) -> WebColor {
        let mixtures = stride(from: 0, through: 1, by: 0.02).lazy.map { part in
            WebColor(
                channels: zip(channels, other.channels)
                    .map { ($0 + ($1 - $0) * part).rounded() }
            )
        }
        return mixtures.first { $0.contrast(to: ground) >= ratio } ?? other
    }

    /// The brightness, 0 to 1.
    ///
    /// Source: [WCAG 2.2, relative luminance](https://www.w3.org/TR/WCAG22/#dfn-relative-luminance)
    private var luminance: Double {
        let linear = channels.map { $0 / 255 }
            .map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return zip([0.2126, 0.7152, 0.0722], linear).map(*).reduce(0, +)
    }
}
