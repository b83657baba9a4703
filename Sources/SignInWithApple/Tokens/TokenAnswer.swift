import Foundation

/// What Apple's token endpoint granted; the identity token in it is not verified yet.
struct TokenAnswer: Sendable, Codable {
    let accessToken: String
    let expirationTime: Date
    let refreshToken: String?
    let identityToken: String
}
