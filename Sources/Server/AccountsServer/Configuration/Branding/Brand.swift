import AppleIdentity
import Foundation

/// The team's logo, color and links on the pages.
package struct Brand: Hashable, Sendable {
    /// A page of the team's, which the pages link to.
    enum Link: String, CaseIterable {
        case terms = "SIWA_TERMS_URL"
        case privacy = "SIWA_PRIVACY_URL"
        case support = "SIWA_SUPPORT_URL"

        /// The page, in the words of the reference.
        var meaning: String {
            switch self {
            case .terms: "terms of use"
            case .privacy: "privacy policy"
            case .support: "support"
            }
        }

        /// The key of the link's text.
        var word: String {
            switch self {
            case .terms: "termsLink"
            case .privacy: "privacyLink"
            case .support: "supportLink"
            }
        }
    }

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

    /// Reads the address of a page; throws ``ConfigurationError``.
    static func address(_ text: String, of link: Link) throws(ConfigurationError) -> String {
        guard text.utf8.count <= maximumURLByteCount, let url = URL(string: text),
            let host = url.host()?.lowercased(), !host.isEmpty, url.user() == nil,
            url.scheme == "https" || url.scheme == "http" && LoopbackHost.contains(host)
        else {
            throw ConfigurationError(
                link.rawValue,
                "is not an https URL",
                fix: "use the form https://www.example.com/page; http only for this machine"
            )
        }
        return url.absoluteString
    }
}
