import AppleIdentity
import Foundation
import HTTPTypes
import SignInWithApple

/// What an app sends after the system's sheet.
struct NativeSignInRequest {
    private static let members: Set<String> = [
        "identityToken", "authorizationCode", "nonce", "fullName", "resumeToken",
    ]
    /// The parts of Foundation's `PersonNameComponents`, of which two are read.
    private static let nameMembers: Set<String> = [
        "givenName", "familyName", "namePrefix", "middleName", "nameSuffix", "nickname",
        "phoneticRepresentation",
    ]

    let identityToken: String
    let authorizationCode: String?
    let nonce: String?
    let name: PersonName?
    let resumeToken: String?

    /// Reads the JSON of a request.
    init(_ body: Data) throws {
        let fields = try JSONFields(body)
        let fullName = try fields.optionalFields("fullName")
        // Apple tells the name once: a misspelt part of it is refused before anything is spent.
        try fields.refuseOthers(than: Self.members)
        try fullName?.refuseOthers(than: Self.nameMembers)
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
        name = try PersonName(
            givenName: try fullName?.optionalText("givenName"),
            familyName: try fullName?.optionalText("familyName")
        )
        .checked()
    }
}
