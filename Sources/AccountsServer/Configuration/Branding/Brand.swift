import AppleIdentity
import Foundation

/// The team's logo, color and links on the pages.
package struct Brand: Hashable, Sendable {
    /// A page of the team's, which the pages link to.
    enum Link: String, CaseIterable {
        case terms = "SIWA_TERMS_URL"
        case privacy = "SIWA_PRIVACY_URL"
        case support = "SIWA_SUPPORT_URL"

        /// The key of the link's text.
        var word: String {
            switch self {
            case .terms: "termsLink"
            case .privacy: "privacyLink"
            case .support: "supportLink"
            }
        }
    }

    package static let settingNames =
        Set(Link.allCases.map(\.rawValue)).union([BrandLogo.settingName, AccentColors.settingName])
    /// The maximum length of a link's URL, in bytes.
    static let maximumURLByteCount = 2_000

    var logo: BrandLogo?
    package var accent = AccentColors.standard
    var links: [Link: String] = [:]
    /// The console of the emulated Apple; no setting has it, so only a demo shows the link.
    package var emulatorConsole: String?

    /// The addresses that the pages link to, with the keys of their texts.
    var linked: [(address: String, word: String)] {
        let all = Link.allCases.map { (links[$0], $0.word) }
        return (all + [(emulatorConsole, "emulatorConsoleLink")]).compactMap { address, word in
            address.map { ($0, word) }
        }
    }

    package init() {}

    init(_ values: ConfigurationValues, _ mistakes: inout MistakeList) {
        if let path = values.optional(BrandLogo.settingName) {
            logo = mistakes.note(try BrandLogo(path: path))
        }
        if let color = values.optional(AccentColors.settingName) {
            accent = mistakes.note(try AccentColors(color)) ?? accent
        }
        for link in Link.allCases {
            links[link] = mistakes.note(try Self.address(link.rawValue, values)) ?? nil
        }
    }

    private static func address(
        _ name: String,
        _ values: ConfigurationValues
    ) throws(ConfigurationError) -> String? {
        guard let text = values.optional(name) else { return nil }
        guard text.utf8.count <= maximumURLByteCount, let url = URL(string: text),
            let host = url.host()?.lowercased(), !host.isEmpty, url.user() == nil,
            url.scheme == "https" || url.scheme == "http" && LoopbackHost.contains(host)
        else {
            throw ConfigurationError(
                name,
                "is not an https URL",
                fix: "use the form https://www.example.com/page; http only for this machine"
            )
        }
        return url.absoluteString
    }
}
