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

/// Which of the three titles a button has; the names are those of the data attribute.
package enum ButtonKind: String, CaseIterable, Sendable {
    case signIn = "sign-in"
    case continuing = "continue"
    case signUp = "sign-up"
}

/// The locales that the script and the button's pictures have.
///
/// Source: [Displaying Sign in with Apple on other platforms](https://developer.apple.com/documentation/signinwithapple/displaying-sign-in-with-apple-on-other-platforms)
package enum ButtonLocale {
    /// The locale when none is named.
    static let standard = "en_US"

    package static let names: Set = [
        "ar_SA", "ca_ES", "cs_CZ", "da_DK", "de_DE", "el_GR", "en_GB", "en_US", "es_ES",
        "es_MX", "fi_FI", "fr_CA", "fr_FR", "hr_HR", "hu_HU", "id_ID", "it_IT", "iw_IL",
        "ja_JP", "ko_KR", "ms_MY", "nl_NL", "no_NO", "pl_PL", "pt_BR", "pt_PT", "ro_RO",
        "ru_RU", "sk_SK", "sv_SE", "th_TH", "tr_TR", "uk_UA", "vi_VI", "zh_CN", "zh_HK",
        "zh_TW",
    ]
}
