/// How a character looks.
package struct Style: Hashable, Sendable {
    /// A colour by what it says; the terminal's own palette decides how it looks.
    package enum Ink: Hashable, Sendable {
        case normal, accent, quiet, warning, good
    }

    package var ink: Ink
    package var isBold: Bool
    package var isReversed: Bool
    package var isUnderlined: Bool

    package init(
        _ ink: Ink = .normal,
        isBold: Bool = false,
        isReversed: Bool = false,
        isUnderlined: Bool = false
    ) {
        self.ink = ink
        self.isBold = isBold
        self.isReversed = isReversed
        self.isUnderlined = isUnderlined
    }

    package static let plain = Style()

    /// The sequence that sets this look, whatever was set before (ECMA-48, SGR).
    func sequence(_ colors: ColorSupport) -> String {
        var codes = ["0"]
        if isBold { codes.append("1") }
        if isUnderlined { codes.append("4") }
        if isReversed { codes.append("7") }
        if let color = colors.code(of: ink) { codes.append(color) }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }
}
