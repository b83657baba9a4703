import Foundation

/// The content of an Apple ID credential, as a value.
package struct AppleIDCredentialContent: Hashable, Codable, Sendable {
    package var user: String
    package var state: String?
    private var scopes: [String] = []
    package var authorizationCode: Data?
    package var identityToken: Data?
    package var email: String?
    package var fullName: PersonNameComponents?
    private var detectionStatus = ASUserDetectionStatus.unsupported.rawValue
    private var ageRange = ASUserAgeRange.unknown.rawValue

    package init(user: String) { self.user = user }

    package var authorizedScopes: [ASAuthorization.Scope] {
        get { scopes.map { .init($0) } }
        set { scopes = newValue.map(\.rawValue) }
    }

    package var realUserStatus: ASUserDetectionStatus {
        get { .init(rawValue: detectionStatus) ?? .unsupported }
        set { detectionStatus = newValue.rawValue }
    }

    package var userAgeRange: ASUserAgeRange {
        get { .init(rawValue: ageRange) ?? .unknown }
        set { ageRange = newValue.rawValue }
    }
}

extension AppleIDCredentialContent {
    private static let key = "content"

    init?(_ coder: NSCoder) {
        let data = coder.decodeObject(of: NSData.self, forKey: Self.key)
        guard let data = data.map({ Data(referencing: $0) }),
            let content = try? JSONDecoder().decode(Self.self, from: data)
        else { return nil }
        self = content
    }

    func encode(with coder: NSCoder) {
        let data = try? JSONEncoder().encode(self)
        coder.encode(data.map { NSData(data: $0) }, forKey: Self.key)
    }
}
