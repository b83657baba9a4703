import AppleIdentity
import Foundation

/// Apple's endpoints for migrating users between teams.
///
/// Source: [Transferring your apps and users](https://developer.apple.com/documentation/signinwithapple/transferring-your-apps-and-users-to-another-team)
extension TokenEndpoint {
    /// The scope of an access token for user migration.
    static let migrationScope = "user.migration"

    func migrationToken(as client: ClientCredentials) async throws -> MigrationAccessToken {
        let form: FormCoding.Fields = [
            ("grant_type", "client_credentials"), ("scope", Self.migrationScope),
        ]
        guard let response = try await tokens(form, as: client, for: .migrationToken),
            Self.isUsable(response), Self.isTokenText(response.accessToken)
        else {
            throw SignInError(
                .appleAnswerUnreadable,
                hint: "the token endpoint responded with 200 and no access token for user migration"
            )
        }
        return MigrationAccessToken(
            text: response.accessToken,
            expirationTime: exchange.time.now + TimeInterval(response.expiresIn)
        )
    }

    func transferIdentifier(
        for user: UserID,
        to team: TeamID,
        accessToken: String,
        as client: ClientCredentials
    ) async throws -> UserID {
        let identifier = try await ask(
            .transferIdentifier,
            [("sub", user.rawValue), ("target", team.rawValue)],
            accessToken: accessToken,
            as: client
        ) { answer throws(JSONFieldError) in
            UserID(rawValue: try answer.text("transfer_sub"))
        }
        return try Self.checked(identifier)
    }

    func user(
        forTransferIdentifier identifier: UserID,
        accessToken: String,
        as client: ClientCredentials,
        relayDomains: RelayDomains
    ) async throws -> MigratedUser {
        let migrated = try await ask(
            .migratedUser,
            [("transfer_sub", identifier.rawValue)],
            accessToken: accessToken,
            as: client
        ) { answer throws(JSONFieldError) in
            let email = try answer.optionalText("email")
            let claim = try answer.optionalLenientBoolean("is_private_email")
            return MigratedUser(
                user: UserID(rawValue: try answer.text("sub")),
                email: email?.isEmpty == true ? nil : email,
                isPrivateEmail: relayDomains.isRelayAddress(email, claim: claim)
            )
        }
        _ = try Self.checked(migrated.user)
        return migrated
    }

    private func ask<Content>(
        _ question: SentRequest.Purpose,
        _ fields: FormCoding.Fields,
        accessToken: String,
        as client: ClientCredentials,
        content: (JSONFields) throws(JSONFieldError) -> Content
    ) async throws -> Content {
        for (name, value) in fields {
            guard (1...TokenRules.maximumSubjectByteCount).contains(value.utf8.count) else {
                throw SignInError(
                    .appleRefusedRequest,
                    hint: "it was not sent: \(name) must have 1 to "
                        + "\(TokenRules.maximumSubjectByteCount) bytes"
                )
            }
        }
        let body = try await post(
            ApplePath.userMigrationInformation,
            fields,
            as: client,
            for: question,
            bearerToken: accessToken
        )
        guard let object = try? JSONObject(parsing: body),
            let content = try? content(JSONFields(object))
        else { throw Self.unreadable }
        history.noteMigrated(client.clientID)
        return content
    }

    private static func checked(_ user: UserID) throws(SignInError) -> UserID {
        guard (1...TokenRules.maximumSubjectByteCount).contains(user.rawValue.utf8.count)
        else { throw unreadable }
        return user
    }

    private static let unreadable = SignInError(
        .appleAnswerUnreadable,
        hint: "the migration endpoint responded with 200 and no identifier"
    )

    /// RFC 6750, section 2.1: the characters of a Bearer token; a line break is none of them.
    /// https://www.rfc-editor.org/rfc/rfc6750#section-2.1
    private static func isTokenText(_ text: String) -> Bool {
        (1...TokenEndpoint.maximumTokenByteCount).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// Caches the access token for user migration; callers at the same time share one request.
actor MigrationAccess {
    private let fetch: @Sendable () async throws -> MigrationAccessToken
    private let time: TimeSource
    private var token: MigrationAccessToken?
    private var fetching: Task<Result<MigrationAccessToken, any Error>, Never>?

    init(time: TimeSource, fetch: @escaping @Sendable () async throws -> MigrationAccessToken) {
        self.time = time
        self.fetch = fetch
    }

    /// A token that is valid for a minute or more, and not one that Apple rejected.
    func token(insteadOf refused: String? = nil) async throws -> String {
        if let token, token.text != refused, token.isUsable(at: time.now) { return token.text }
        let task = fetching ?? startFetching()
        return try await task.valueUnlessCancelled().get().text
    }

    private func startFetching() -> Task<Result<MigrationAccessToken, any Error>, Never> {
        let task = Task { [fetch] in
            let result = await Result.awaiting { try await fetch() }
            finish(result)
            return result
        }
        fetching = task
        return task
    }

    private func finish(_ result: Result<MigrationAccessToken, any Error>) {
        fetching = nil
        token = try? result.get()
    }
}

/// The access token that Apple's migration endpoint requires besides the client secret.
struct MigrationAccessToken: Sendable {
    /// How long before its expiration a token is replaced, in seconds.
    static let renewalLeadSeconds: TimeInterval = 60

    let text: String
    let expirationTime: Date

    func isUsable(at now: Date) -> Bool {
        now < expirationTime.addingTimeInterval(-Self.renewalLeadSeconds)
    }
}
