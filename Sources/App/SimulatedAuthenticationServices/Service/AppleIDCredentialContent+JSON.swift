import AppleIdentity
import Foundation

extension AppleIDCredentialContent {
    /// Reads the control port's response with a credential.
    init(_ object: JSONObject) throws(JSONFieldError) {
        let fields = JSONFields(object)
        self.init(user: try fields.text("user"))
        identityToken = Data(try fields.text("identity_token").utf8)
        authorizationCode = Data(try fields.text("authorization_code").utf8)
        email = try fields.optionalText("email")
        fullName = try fields.optionalFields("full_name").map { name throws(JSONFieldError) in
            var components = PersonNameComponents()
            components.givenName = try name.optionalText("given_name")
            components.familyName = try name.optionalText("family_name")
            return components
        }
        realUserStatus = .init(rawValue: try fields.integer("real_user_status")) ?? .unsupported
        state = try fields.optionalText("state")
    }
}

extension ASAuthorizationAppleIDProvider.CredentialState {
    /// Reads the control port's response with a credential state.
    init(_ object: JSONObject) throws(JSONFieldError) {
        switch try JSONFields(object).text("state") {
        case "authorized": self = .authorized
        case "revoked": self = .revoked
        case "not_found": self = .notFound
        case "transferred": self = .transferred
        default: throw .wrongType("state", expected: "a known credential state")
        }
    }
}
