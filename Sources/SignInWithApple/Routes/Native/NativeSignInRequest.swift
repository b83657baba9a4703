import AppleIdentity
import Foundation
import HTTPTypes

/// What an app sends after the system's sheet.
struct NativeSignInRequest {
    /// The members that a request may have.
    private static let members = [
        "identityToken", "authorizationCode", "nonce", "fullName", "resumeToken",
    ]

    let identityToken: String
    let authorizationCode: String?
    let nonce: String?
    let name: PersonName?
    let resumeToken: String?

    /// Reads the members of a request.
    ///
    /// Apple tells the name once: a misspelt member is refused before anything is spent.
    init(_ fields: JSONFields) throws {
        try fields.refuseOthers(than: Self.members)
        func text(_ name: String, _ maximumByteCount: Int) throws -> String? {
            let text = try fields.optionalText(name)
            guard text?.utf8.count ?? 0 <= maximumByteCount else {
                throw RefusedSignIn.fieldTooLong(name, maximumByteCount: maximumByteCount)
            }
            return text
        }
        identityToken = try fields.text("identityToken")
        authorizationCode = try text("authorizationCode", RouteLimits.maximumCodeByteCount)
        nonce = try text("nonce", RouteLimits.maximumNonceByteCount)
        resumeToken = try text("resumeToken", RouteLimits.maximumResumeTokenByteCount)
        name = try fields.optionalFields("fullName")
            .flatMap(PersonName.init(components:))
            .flatMap { name throws(SignInError) in try name.checked() }
    }
}
