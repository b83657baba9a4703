/// Which colours a terminal shows, by its environment.
package enum ColorSupport: Hashable, Sendable {
    case none, basic, palette, full

    /// Reads the environment: `NO_COLOR` (no-color.org), then `COLORTERM`, then `TERM`.
    package init(environment: [String: String]) {
        let name = environment["TERM"] ?? ""
        let color = environment["COLORTERM"] ?? ""
        if environment["NO_COLOR"]?.isEmpty == false || name.isEmpty || name == "dumb"
            || name.hasPrefix("vt")
        {
            self = .none
        } else if color == "truecolor" || color == "24bit" {
            self = .full
        } else if name.contains("256color") {
            self = .palette
        } else {
            self = .basic
        }
    }

    /// The parameter that sets a colour; nil for the terminal's usual one.
    func code(of ink: Style.Ink) -> String? {
        switch (self, ink) {
        case (.none, _), (_, .normal): nil
        case (.basic, .accent): "36"
        case (.basic, .quiet): "90"
        case (.basic, .warning): "31"
        case (.basic, .good): "32"
        case (.palette, .accent): "38;5;38"
        case (.palette, .quiet): "38;5;245"
        case (.palette, .warning): "38;5;167"
        case (.palette, .good): "38;5;71"
        case (.full, .accent): "38;2;10;150;220"
        case (.full, .quiet): "38;2;138;138;138"
        case (.full, .warning): "38;2;215;85;85"
        case (.full, .good): "38;2;80;165;90"
        }
    }
}
