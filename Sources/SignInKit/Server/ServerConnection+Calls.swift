import AppleIdentity
import Foundation

/// The response to a sign-in, the only one that contains the token.
struct SignInReceipt: Sendable {
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

/// Ways in.
extension ServerConnection {
    func nonce() async throws(ServerFailure) -> String {
        let call = ServerCall(
            method: "POST",
            path: ["api", "nonces"],
            timeLimit: SignInLimits.nonceTime
        )
        return try await read(call) { fields throws(JSONFieldError) in try fields.text("nonce") }
    }

    func signInMethods() async throws(ServerFailure) -> Set<SignInMethod> {
        let call = ServerCall(method: "GET", path: ["api", "sign-in-methods"])
        return try await read(call) { fields throws(JSONFieldError) in
            let list = try fields.require(
                "methods",
                fields.optional("methods", "a list", \.arrayValue)
            )
            return Set(list.compactMap(\.stringValue).compactMap(SignInMethod.init))
        }
    }

    /// Registers or signs in with Apple; a token sent along ends its session.
    func signIn(
        _ registration: PendingRegistration,
        replacing token: String?
    ) async throws(ServerFailure) -> SignInReceipt {
        let call = ServerCall(
            method: "POST",
            path: ["api", "sessions", "apple"],
            body: registration.body,
            token: token
        )
        return try await read(call, SignInReceipt.init)
    }

    func signIn(username: String, password: String) async throws(ServerFailure) -> SignInReceipt {
        let body: JSONObject = ["username": .string(username), "password": .string(password)]
        let call = ServerCall(method: "POST", path: ["api", "sessions", "password"], body: body)
        return try await read(call, SignInReceipt.init)
    }

    func createAccount(
        username: String,
        password: String,
        name: String?
    ) async throws(ServerFailure) -> SignInReceipt {
        var body: JSONObject = ["username": .string(username), "password": .string(password)]
        body["name"] = name.map { .string($0) }
        let call = ServerCall(method: "POST", path: ["api", "accounts"], body: body)
        return try await read(call, SignInReceipt.init)
    }

    /// Redeems the code with which the browser came back.
    func signIn(
        code: String,
        verifier: String,
        redirectURI: URL,
        clientID: ClientID?
    ) async throws(ServerFailure) -> SignInReceipt {
        var body: JSONObject = [
            "code": .string(code), "codeVerifier": .string(verifier),
            "redirectUri": .string(redirectURI.absoluteString),
        ]
        body["clientId"] = clientID.map { .string($0.rawValue) }
        let call = ServerCall(method: "POST", path: ["api", "sessions", "code"], body: body)
        return try await read(call, SignInReceipt.init)
    }
}

/// The account.
extension ServerConnection {
    func account(
        _ token: String,
        attemptCount: Int = SignInLimits.attemptCount
    ) async throws(ServerFailure) -> AccountProfile {
        var call = ServerCall.get("api", "account", token: token)
        call.attemptCount = attemptCount
        return try await read(call, AccountProfile.init)
    }

    func rename(to name: String?, _ token: String) async throws(ServerFailure) -> AccountProfile {
        try await rename(["name": Self.value(name)], token)
    }

    func rename(
        to name: PersonName,
        _ token: String
    ) async throws(ServerFailure) -> AccountProfile {
        try await rename(
            ["givenName": Self.value(name.givenName), "familyName": Self.value(name.familyName)],
            token
        )
    }

    /// A string, or null to remove the value on the server.
    private static func value(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    private func rename(
        _ body: JSONObject,
        _ token: String
    ) async throws(ServerFailure) -> AccountProfile {
        let call = ServerCall(method: "PATCH", path: ["api", "account"], body: body, token: token)
        return try await read(call, AccountProfile.init)
    }

    func changePassword(
        _ change: PasswordChange,
        _ token: String
    ) async throws(ServerFailure) -> AccountProfile {
        let path = ["api", "account", "password"]
        let call = ServerCall(method: "PUT", path: path, body: change.body, token: token)
        return try await read(call, AccountProfile.init)
    }

    func linkApple(
        _ registration: PendingRegistration,
        _ token: String
    ) async throws(ServerFailure) -> AccountProfile {
        let path = ["api", "account", "apple"]
        let call = ServerCall(method: "PUT", path: path, body: registration.body, token: token)
        return try await read(call, AccountProfile.init)
    }

    func unlinkApple(_ token: String) async throws(ServerFailure) -> AccountProfile {
        let path = ["api", "account", "apple"]
        return try await read(
            ServerCall(method: "DELETE", path: path, token: token),
            AccountProfile.init
        )
    }

    func deleteAccount(_ token: String) async throws(ServerFailure) {
        _ = try await send(ServerCall(method: "DELETE", path: ["api", "account"], token: token))
    }

    /// What the server knows of the user's consent.
    func credentialState(_ token: String) async throws(ServerFailure) -> CredentialState {
        let path = ["api", "account", "apple", "credential-state"]
        let call = ServerCall(method: "GET", path: path, token: token)
        let state = try await read(call) { fields throws(JSONFieldError) in
            try fields.text("state")
        }
        return switch state {
        case "authorized": .authorized
        case "revoked": .revoked
        case "notFound": .notFound
        case "transferred": .transferred
        default: .unknown("the server returned an unknown state")
        }
    }
}

/// Sessions.
extension ServerConnection {
    func sessions(_ token: String) async throws(ServerFailure) -> [SessionSummary] {
        let call = ServerCall.get("api", "sessions", token: token)
        return try await read(call) { fields throws(JSONFieldError) in
            let list = try fields.require(
                "sessions",
                fields.optional("sessions", "a list", \.arrayValue)
            )
            var sessions: [SessionSummary] = []
            for value in list {
                let object = try fields.require("sessions", value.objectValue)
                sessions.append(try SessionSummary(JSONFields(object, path: "sessions.")))
            }
            return sessions
        }
    }

    func endSession(_ id: String, _ token: String) async throws(ServerFailure) {
        _ = try await send(
            ServerCall(method: "DELETE", path: ["api", "sessions", id], token: token)
        )
    }

    func endOtherSessions(_ token: String) async throws(ServerFailure) {
        _ = try await send(ServerCall(method: "DELETE", path: ["api", "sessions"], token: token))
    }

    func signOut(_ token: String) async throws(ServerFailure) {
        let path = ["api", "sessions", "current"]
        _ = try await send(ServerCall(method: "DELETE", path: path, token: token))
    }
}

extension ServerConnection {
    /// Sends a call, and reads what came.
    private func read<Value>(
        _ call: ServerCall,
        _ value: (JSONFields) throws(JSONFieldError) -> Value
    ) async throws(ServerFailure) -> Value {
        let fields = try await send(call)
        do throws(JSONFieldError) {
            return try value(fields)
        } catch {
            throw .unexpected("in the response: \(error)")
        }
    }
}

/// What changes or sets a password.
struct PasswordChange: Sendable {
    var username: String?
    var current: String?
    var new: String

    var body: JSONObject {
        var body = JSONObject()
        body["username"] = username.map { .string($0) }
        body["currentPassword"] = current.map { .string($0) }
        body["newPassword"] = .string(new)
        return body
    }
}
