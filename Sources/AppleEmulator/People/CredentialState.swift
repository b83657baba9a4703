/// What a device would be told of a person and an app.
package enum CredentialState: String, Sendable {
    case revoked, authorized
    case notFound = "not_found"
    case transferred

    /// The number that Apple's systems give the state.
    ///
    /// Source: [Credential state](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidprovider/credentialstate)
    /// has the names; the numbers were seen in libraries for apps.
    package var number: Int {
        switch self {
        case .revoked: 0
        case .authorized: 1
        case .notFound: 2
        case .transferred: 3
        }
    }
}
