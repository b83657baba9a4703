import Foundation

/// The content of an Apple ID credential, as a value.
package struct AppleIDCredentialContent: Hashable, Sendable {
    package var user: String
    package var state: String?
    package var authorizedScopes: [ASAuthorization.Scope] = []
    package var authorizationCode: Data?
    package var identityToken: Data?
    package var email: String?
    package var fullName: PersonNameComponents?
    package var realUserStatus = ASUserDetectionStatus.unsupported
    package var userAgeRange = ASUserAgeRange.unknown

    package init(user: String) { self.user = user }
}

extension AppleIDCredentialContent {
    init?(_ coder: NSCoder) {
        guard let user = coder.text(forKey: Key.user) else { return nil }
        self.init(user: user)
        state = coder.text(forKey: Key.state)
        authorizedScopes = (coder.texts(forKey: Key.scopes) ?? []).map { .init($0) }
        authorizationCode = coder.bytes(forKey: Key.code)
        identityToken = coder.bytes(forKey: Key.token)
        email = coder.text(forKey: Key.email)
        if coder.containsValue(forKey: Key.hasName), coder.decodeBool(forKey: Key.hasName) {
            var name = PersonNameComponents()
            name.givenName = coder.text(forKey: Key.givenName)
            name.familyName = coder.text(forKey: Key.familyName)
            fullName = name
        }
        realUserStatus = .init(rawValue: coder.decodeInteger(forKey: Key.status)) ?? .unsupported
        userAgeRange = .init(rawValue: coder.decodeInteger(forKey: Key.ageRange)) ?? .unknown
    }

    func encode(with coder: NSCoder) {
        coder.encode(text: user, forKey: Key.user)
        coder.encode(text: state, forKey: Key.state)
        let scopes = authorizedScopes.map { NSString(string: $0.rawValue) }
        coder.encode(NSArray(array: scopes), forKey: Key.scopes)
        coder.encode(bytes: authorizationCode, forKey: Key.code)
        coder.encode(bytes: identityToken, forKey: Key.token)
        coder.encode(text: email, forKey: Key.email)
        coder.encode(fullName != nil, forKey: Key.hasName)
        coder.encode(text: fullName?.givenName, forKey: Key.givenName)
        coder.encode(text: fullName?.familyName, forKey: Key.familyName)
        coder.encode(realUserStatus.rawValue, forKey: Key.status)
        coder.encode(userAgeRange.rawValue, forKey: Key.ageRange)
    }

    private enum Key {
        static let user = "user"
        static let state = "state"
        static let scopes = "authorizedScopes"
        static let code = "authorizationCode"
        static let token = "identityToken"
        static let email = "email"
        static let hasName = "hasFullName"
        static let givenName = "givenName"
        static let familyName = "familyName"
        static let status = "realUserStatus"
        static let ageRange = "userAgeRange"
    }
}
