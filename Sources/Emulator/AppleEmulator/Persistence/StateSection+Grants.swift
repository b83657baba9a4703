import AppleIdentity
import Foundation

extension StateSection {
    static let grants: [StateSection] = [
        .table("codes", key: "code", AuthorizationCode.schema, \.grants.codes),
        .table("access_tokens", key: "token", IssuedAccessToken.schema, \.grants.accessTokens),
        .table("refresh_tokens", key: "token", Grant.schema, \.grants.refreshTokens),
        .list("refreshes", KeptRefreshes.schema, \.keptRefreshes) {
            $1.refreshes.times[$0.pair] = $0.times
        },
    ]

    /// App transfers and the migration of their users.
    static let transfers: [StateSection] = [
        .value("transfer_identifier_key", \.transfers.identifierKey, .base64),
        .list("transfers", Transfer.schema, \.transfers.transfers.sortedValues) {
            $1.transfers.add($0)
        },
        .table(
            "transfer_subjects",
            key: "transfer_sub",
            TransferSubject.schema,
            \.transfers.subjects
        ),
        .table("migration_tokens", key: "token", MigrationToken.schema, \.transfers.accessTokens),
    ]
}

extension Grant {
    fileprivate static let schema = ObjectSchema(
        Grant(),
        .required("person_id", \.personID, .person),
        .required("client_id", \.clientID, .client),
        .required("group", \.group, .app),
        .required("team_id", \.teamID, .team),
        .optional("nonce", \.nonce, .text),
        .required("authenticated_at", \.authenticatedAt, .time),
        .usual("switches", \.switches, .requestSwitches) { !$0.members.isEmpty }
    )
}

extension AuthorizationCode {
    fileprivate static let schema = ObjectSchema(
        AuthorizationCode(),
        .required("issued_at", \.issuedAt, .time),
        .part(\.grant, Grant.schema),
        .optional("redirect_uri", \.redirectURI, .text),
        .optional("code_challenge", \.codeChallenge, .text),
        .usual("used", \.isUsed, .boolean) { $0 },
        .usual("tokens", \.tokens, .texts) { !$0.isEmpty }
    )
}

extension IssuedAccessToken {
    fileprivate static let schema = ObjectSchema(
        IssuedAccessToken(),
        .required("issued_at", \.issuedAt, .time),
        .part(\.grant, Grant.schema)
    )
}

private struct KeptRefreshes {
    var pair = RefreshStore.Pair(personID: .unknown, clientID: "")
    var times: [Date] = []

    static let schema = ObjectSchema(
        KeptRefreshes(),
        .required("person_id", \.pair.personID, .person),
        .required("client_id", \.pair.clientID, .client),
        .required("times", \.times, .times)
    )
}

extension EmulatorState {
    fileprivate var keptRefreshes: [KeptRefreshes] {
        refreshes.times.map { KeptRefreshes(pair: $0, times: $1) }
            .filter { people[$0.pair.personID] != nil }
            .sorted {
                ($0.pair.personID.number, $0.pair.clientID.rawValue)
                    < ($1.pair.personID.number, $1.pair.clientID.rawValue)
            }
    }
}

extension Transfer {
    fileprivate static let schema = ObjectSchema(
        Transfer(),
        .required("client_id", \.group, .app),
        .required("from_team", \.fromTeam, .team),
        .required("to_team", \.toTeam, .team),
        .required("completed_at", \.completedAt, .time)
    )
}

extension TransferSubject {
    fileprivate static let schema = ObjectSchema(
        TransferSubject(),
        .required("person_id", \.personID, .person),
        .required("from_team", \.fromTeam, .team),
        .required("to_team", \.toTeam, .team)
    )
}

extension MigrationToken {
    fileprivate static let schema = ObjectSchema(
        MigrationToken(),
        .required("team_id", \.teamID, .team),
        .required("issued_at", \.issuedAt, .time)
    )
}

extension ValueForm<JSONObject> {
    /// The switches of an authorization request, each valid for a single request.
    fileprivate static let requestSwitches = ValueForm(
        reading: { reader, name throws(ControlRefusal) in
            guard let object = try reader.read(name, .members) else { return nil }
            var tried = EmulatorSwitches(EmulatorConfiguration())
            try tried.change(object, isForRequest: true)
            return object
        },
        { .object($0) }
    )
}
