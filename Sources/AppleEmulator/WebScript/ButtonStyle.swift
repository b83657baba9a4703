/// How the logo and the title of a button's picture stand; each has an address of its own.
package enum ButtonStyle: String, Sendable {
    case centered = "/appleid/button"
    case leftAligned = "/appleid/button/left"
    case logoOnly = "/appleid/button/logo"

    /// The parameters that its pictures have.
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
