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
    func requestPasswordReset(for username: String) async throws(ServerFailure) {
        let body: JSONObject = ["username": .string(username)]
        _ = try await send(
            ServerCall(method: "POST", path: ["api", "password-resets"], body: body)
        )
    }

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
    func accessToken(for audience: String, _ token: String) async throws(ServerFailure) -> String {
        let body: JSONObject = ["audience": .string(audience)]
        let call = ServerCall(method: "POST", path: ["api", "tokens"], body: body, token: token)
        return try await read(call) { fields throws(JSONFieldError) in
            try fields.text("accessToken")
        }
    }

    func account(
        _ token: String,
        attemptCount: Int = SignInLimits.attemptCount
    ) async throws(ServerFailure) -> AccountProfile {
        var call = ServerCall(method: "GET", path: ["api", "account"], token: token)
        call.attemptCount = attemptCount
        return try await read(call, AccountProfile.init)
    }

    func rename(to name: String?, _ token: String) async throws(ServerFailure) -> AccountProfile {
        try await change("PATCH", body: ["name": Self.value(name)], token: token)
    }

    func rename(
        to name: PersonName,
        _ token: String
    ) async throws(ServerFailure) -> AccountProfile {
        let given = Self.value(name.givenName)
        let body: JSONObject = ["givenName": given, "familyName": Self.value(name.familyName)]
        return try await change("PATCH", body: body, token: token)
    }

    /// A string, or null to remove the value on the server.
    private static func value(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    func changePassword(
        current: String?,
        new: String,
        username: String?,
        _ token: String
    ) async throws(ServerFailure) -> AccountProfile {
        var body: JSONObject = ["newPassword": .string(new)]
        body["username"] = username.map { .string($0) }
        body["currentPassword"] = current.map { .string($0) }
        return try await change("PUT", "password", body: body, token: token)
    }

    func changeEmail(
        to address: String,
        _ token: String
    ) async throws(ServerFailure) -> AccountProfile {
        try await change("PUT", "email", body: ["email": .string(address)], token: token)
    }

    func cancelEmailChange(_ token: String) async throws(ServerFailure) {
        try await delete("email-verifications", token: token)
    }

    func linkApple(
        _ registration: PendingRegistration,
        _ token: String
    ) async throws(ServerFailure) -> AccountProfile {
        try await change("PUT", "apple", body: registration.body, token: token)
    }

    func unlinkApple(_ token: String) async throws(ServerFailure) -> AccountProfile {
        try await change("DELETE", "apple", token: token)
    }

    /// Changes the account or a part of it; the server answers with the account.
    private func change(
        _ method: String,
        _ part: String...,
        body: JSONObject? = nil,
        token: String
    ) async throws(ServerFailure) -> AccountProfile {
        let path = ["api", "account"] + part
        let call = ServerCall(method: method, path: path, body: body, token: token)
        return try await read(call, AccountProfile.init)
    }

    func deleteAccount(_ token: String) async throws(ServerFailure) {
        try await delete("account", token: token)
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
        var call = ServerCall(method: "GET", path: ["api", "sessions"], token: token)
        call.attemptCount = SignInLimits.attemptCount
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
        try await delete("sessions", id, token: token)
    }

    func endOtherSessions(_ token: String) async throws(ServerFailure) {
        try await delete("sessions", token: token)
    }

    func signOut(_ token: String) async throws(ServerFailure) {
        try await delete("sessions", "current", token: token)
    }

    private func delete(_ path: String..., token: String) async throws(ServerFailure) {
        _ = try await send(ServerCall(method: "DELETE", path: ["api"] + path, token: token))
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
