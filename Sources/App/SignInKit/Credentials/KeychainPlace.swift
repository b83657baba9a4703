/// Where the records of a session lie in the keychain.
struct KeychainPlace: Hashable, Sendable {
    /// The item's service (`kSecAttrService`).
    let service: String
    /// The access group of several apps (`kSecAttrAccessGroup`); the app's own if nil.
    let accessGroup: String?

    /// Finds the place of a session.
    ///
    /// The apps of a group have different bundle identifiers, and look for the same items: the service is the group.
    ///
    /// - Parameters:
    ///   - service: the service that the app chose; nil for the default.
    ///   - accessGroup: the access group of several apps.
    ///   - bundleIdentifier: the identifier of this app or extension.
    init(service: String?, accessGroup: String?, bundleIdentifier: String?) {
        self.service = service ?? accessGroup ?? bundleIdentifier ?? "SignInKit"
        self.accessGroup = accessGroup
    }
}
