import Foundation

/// A configuration as somebody wrote it, with whatever mistakes it has.
package struct DiagnosticSettings: Sendable {
    package var teamID = ""
    package var keyID = ""
    /// The key file's text; nil when it could not be read, which is told elsewhere.
    package var keyText: String?
    /// The key file's name, by which Apple tells the key's identifier.
    package var keyFileName: String?
    /// The bundle identifiers.
    package var clientIDs: [String] = []
    package var servicesID: String?
    /// The addresses to which Apple shall send browsers back.
    package var redirectURIs: [String] = []
    package var service = AppleService.apple
    /// Whether Apple's address could be read; otherwise nothing is asked there.
    package var isAddressKnown = true
    package var secretLifetime = ClientSecretMaker.lifetime

    package init() {}

    /// Whether this is Apple itself, whose rules are stricter than an emulator's.
    var isApple: Bool { service.url.host() == AppleService.apple.url.host() }

    /// Every client, as far as there is one.
    var allClients: [String] { clientIDs + [servicesID].compactMap(\.self) }
}
