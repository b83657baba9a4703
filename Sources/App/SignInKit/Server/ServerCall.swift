import AppleIdentity
import Foundation

/// One request in the words of the accounts server, and how its response is read.
struct ServerCall<Answer>: Sendable {
    let method: String
    /// The parts of the path, below the server's address.
    let path: [String]
    let body: JSONObject?
    /// How often it is sent at most; more than once only what may be repeated.
    var attemptCount = 1
    var timeLimit: Duration = SignInLimits.requestTime
    /// The method and the path without an identifier, for the log.
    var name: String { "\(method) \(path.prefix(2).joined(separator: "/"))" }
    let read: @Sendable (JSONFields) throws(JSONFieldError) -> Answer

    private init(
        _ method: String,
        _ path: String...,
        body: JSONObject? = nil,
        read: @escaping @Sendable (JSONFields) throws(JSONFieldError) -> Answer
    ) {
        self.method = method
        self.path = ["api"] + path
        self.body = body
        self.read = read
    }
}

/// Ways in.
extension ServerCall<SessionResponse> {
    /// Registers or signs in with Apple; a token sent along ends its session.
    static func signIn(_ registration: PendingRegistration) -> Self {
        Self("POST", "sessions", "apple", body: registration.body, read: SessionResponse.init)
    }

    static func signIn(username: String, password: String) -> Self {
        let body: JSONObject = ["username": .string(username), "password": .string(password)]
        return Self("POST", "sessions", "password", body: body, read: SessionResponse.init)
    }

    static func createAccount(username: String, password: String, name: String?) -> Self {
        var body: JSONObject = ["username": .string(username), "password": .string(password)]
        body["name"] = name.map { .string($0) }
        return Self("POST", "accounts", body: body, read: SessionResponse.init)
    }

    /// Redeems the code with which the browser came back.
    static func signIn(
        code: String,
        verifier: String,
        redirectURI: URL,
        clientID: ClientID?
    ) -> Self {
        var body: JSONObject = [
            "code": .string(code), "codeVerifier": .string(verifier),
            "redirectUri": .string(redirectURI.absoluteString),
        ]
        body["clientId"] = clientID.map { .string($0.rawValue) }
        return Self("POST", "sessions", "code", body: body, read: SessionResponse.init)
    }
}

/// The response to a sign-in, the only one that contains the token.
struct SessionResponse: Sendable {
    let token: String
    let expiresAt: Date
    let account: AccountProfile

    init(_ fields: JSONFields) throws(JSONFieldError) {
        token = try fields.text("token")
        expiresAt = try fields.date("expiresAt")
        account = try AccountProfile(
            fields.require("account", fields.optionalFields("account"))
        )
    }
}

extension ServerCall<String> {
    static var nonce: Self {
        var call = Self("POST", "nonces") { fields throws(JSONFieldError) in
            try fields.text("nonce")
        }
        call.timeLimit = SignInLimits.nonceTime
        return call
    }

    static func accessToken(for audience: String) -> Self {
        Self("POST", "tokens", body: ["audience": .string(audience)]) {
            fields throws(JSONFieldError) in try fields.text("accessToken")
        }
    }
}

extension ServerCall<SignInOffer> {
    static var signInOffer: Self { Self("GET", "sign-in-methods", read: SignInOffer.init) }
}

/// The account, and changes of it.
extension ServerCall<AccountProfile> {
    static func account(attemptCount: Int = SignInLimits.attemptCount) -> Self {
        var call = Self("GET", "account", read: AccountProfile.init)
        call.attemptCount = attemptCount
        return call
    }

    static func rename(to name: String?) -> Self {
        Self("PATCH", "account", body: ["name": value(name)], read: AccountProfile.init)
    }

    static func rename(to name: PersonName) -> Self {
        let given = value(name.givenName)
        let body: JSONObject = ["givenName": given, "familyName": value(name.familyName)]
        return Self("PATCH", "account", body: body, read: AccountProfile.init)
    }

    /// A string, or null to remove the value on the server.
    private static func value(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    static func changePassword(current: String?, new: String, username: String?) -> Self {
        var body: JSONObject = ["newPassword": .string(new)]
        body["username"] = username.map { .string($0) }
        body["currentPassword"] = current.map { .string($0) }
        return Self("PUT", "account", "password", body: body, read: AccountProfile.init)
    }

    static func changeEmail(to address: String) -> Self {
        let body: JSONObject = ["email": .string(address)]
        return Self("PUT", "account", "email", body: body, read: AccountProfile.init)
    }

    static func linkApple(_ registration: PendingRegistration) -> Self {
        Self("PUT", "account", "apple", body: registration.body, read: AccountProfile.init)
    }

    static var unlinkApple: Self {
        Self("DELETE", "account", "apple", read: AccountProfile.init)
    }
}

extension ServerCall<CredentialState> {
    /// What the server knows of the user's consent.
    static var credentialState: Self {
        Self("GET", "account", "apple", "credential-state") { fields throws(JSONFieldError) in
            switch try fields.text("state") {
            case "authorized": .authorized
            case "revoked": .revoked
            case "notFound": .notFound
            case "transferred": .transferred
            default: .unknown("the server returned an unknown state")
            }
        }
    }
}

extension ServerCall<[SessionSummary]> {
    static var sessions: Self {
        var call = Self("GET", "sessions") { fields throws(JSONFieldError) in
            try fields.list("sessions").map { value throws(JSONFieldError) in
                let object = try fields.require("sessions", value.objectValue)
                return try SessionSummary(JSONFields(object, path: "sessions."))
            }
        }
        call.attemptCount = SignInLimits.attemptCount
        return call
    }
}

/// Calls whose response has no content.
extension ServerCall<Void> {
    static func requestPasswordReset(for username: String) -> Self {
        Self("POST", "password-resets", body: ["username": .string(username)]) { _ in }
    }

    static var cancelEmailChange: Self { Self("DELETE", "email-verifications") { _ in } }

    static var deleteAccount: Self { Self("DELETE", "account") { _ in } }

    static func endSession(_ id: String) -> Self { Self("DELETE", "sessions", id) { _ in } }

    static var endOtherSessions: Self { Self("DELETE", "sessions") { _ in } }

    static var signOut: Self { Self("DELETE", "sessions", "current") { _ in } }
}

extension JSONFields {
    func list(_ name: String) throws(JSONFieldError) -> [JSONValue] {
        try require(name, optional(name, "a list", \.arrayValue))
    }
}
