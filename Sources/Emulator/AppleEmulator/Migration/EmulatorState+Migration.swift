import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    static let migrationScope = "user.migration"

    /// Issues an access token for user migration of a team.
    ///
    /// Source: [Transferring your apps and users](https://developer.apple.com/documentation/signinwithapple/transferring-your-apps-and-users-to-another-team)
    mutating func grantMigration(_ fields: FormFields) throws(OAuthRefusal) -> JSONObject {
        flows.leaveOut()
        try fields.requireClient()
        let client = try authenticateForMigration(fields)
        let scope = fields["scope"]
        guard scope == Self.migrationScope else {
            throw OAuthRefusal(
                .invalidScope,
                reason: scope.map { "the scope is \"\($0.prefix(64))\"" } ?? "scope is missing"
            )
            .hint("the only scope of this grant is \(Self.migrationScope)")
        }
        return [
            "access_token": .string(transfers.addAccessToken(for: client, at: now)),
            "token_type": "Bearer",
            "expires_in": .integer(IssuedAccessToken.lifetimeSeconds),
        ]
    }

    /// Handles `/auth/usermigrationinfo`, for the sending and the receiving team.
    ///
    /// Source: [Bringing new apps and users](https://developer.apple.com/documentation/signinwithapple/bringing-new-apps-and-users-into-your-team)
    mutating func migrationInformation(_ request: HTTPRequest, body: Data) -> Outcome {
        guard request.method == .post else { return .methodNotAllowed(request, allowed: "POST") }
        var clientID: String?
        do throws(OAuthRefusal) {
            let fields = try form(request, body: body, encodingError: .invalidClient)
            clientID = fields["client_id"]
            try fields.requireClient()
            let client = try authenticateForMigration(fields)
            try checkBearer(request, of: client)
            let answer =
                switch (fields["sub"], fields["transfer_sub"]) {
                case (let sub?, nil):
                    try transferIdentifier(of: sub, fields: fields, client: client)
                case (nil, let identifier?): try person(behind: identifier, client: client)
                case (let sub, _):
                    throw .invalidRequest(
                        sub == nil
                            ? "sub or transfer_sub is missing"
                            : "sub and transfer_sub can't be combined"
                    )
                    .hint("the sending team sends sub and target, the receiving team transfer_sub")
                }
            return .json(answer, remark: Remark(clientID: clientID))
        } catch {
            return .refusal(error, clientID: clientID)
        }
    }

    /// For 60 days after a transfer the sending team can still act for the app.
    private mutating func authenticateForMigration(
        _ fields: FormFields
    ) throws(OAuthRefusal) -> RegisteredClient {
        let refusal: OAuthRefusal
        do {
            return try authenticate(fields)
        } catch {
            refusal = error
        }
        guard let clientID = fields["client_id"],
            let client = registry.client(ClientID(clientID)),
            let transfer = transfers.openTransfer(of: client.group, at: now)
        else { throw refusal }
        var past = registry
        past.setTeam(of: transfer.group, to: transfer.fromTeam)
        do {
            return try authenticate(fields, in: past)
        } catch {
            throw refusal
        }
    }

    /// RFC 6750, section 2.1: the token is in the Authorization header field.
    /// https://www.rfc-editor.org/rfc/rfc6750#section-2.1
    private func checkBearer(
        _ request: HTTPRequest,
        of client: RegisteredClient
    ) throws(OAuthRefusal) {
        let parts = (request.headerFields[.authorization] ?? "").split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw .invalidRequest("there is no Authorization field with a bearer token")
                .hint("get one with grant_type=client_credentials and scope=\(Self.migrationScope)")
        }
        guard teamID(of: String(parts[1])) == client.teamID else {
            throw .invalidGrant(
                "the access token is unknown, has expired, or belongs to another team"
            )
            .hint("it is valid for \(IssuedAccessToken.lifetimeSeconds) seconds; request a new one")
        }
    }

    /// The team of a migration token, or of a user's access token in its place.
    private func teamID(of accessToken: String) -> TeamID? {
        if let token = transfers.accessTokens[accessToken] {
            return token.isExpired(at: now) ? nil : token.teamID
        }
        guard let token = grants.accessTokens[accessToken], !token.isExpired(at: now) else {
            return nil
        }
        return token.grant.teamID
    }

    /// Apple does not check the target: a wrong one fails only for the receiving team.
    private mutating func transferIdentifier(
        of sub: String,
        fields: FormFields,
        client: RegisteredClient
    ) throws(OAuthRefusal) -> JSONObject {
        let target = try fields.require("target")
        guard let person = people.person(userID: UserID(sub), teamID: client.teamID) else {
            throw .invalidRequest("the team \(client.teamID) has no user with this sub")
                .hint("sub must be the identifier for the sending team")
        }
        try checkConsent(of: person, to: client)
        let identifier = transfers.publish(person, from: client.teamID, to: TeamID(target))
        return ["transfer_sub": .string(identifier.rawValue)]
    }

    private mutating func person(
        behind identifier: String,
        client: RegisteredClient
    ) throws(OAuthRefusal) -> JSONObject {
        guard let transfer = transfers.openTransfer(of: client.group, at: now),
            transfer.toTeam == client.teamID
        else {
            throw .invalidRequest(
                "the app was not transferred to \(client.teamID) in the last 60 days"
            )
            .hint("if the 60 days are over, transfer it back and again")
        }
        guard let subject = transfers.subjects[identifier],
            subject.fromTeam == transfer.fromTeam, subject.toTeam == transfer.toTeam,
            let person = people[subject.personID]
        else {
            throw .invalidRequest("the transfer_sub is unknown, or is for another team")
                .hint("target must be the Team ID of the receiving team, here \(transfer.toTeam)")
        }
        try checkConsent(of: person, to: client)
        guard let identity = identity(of: person.id, for: client.teamID) else {
            throw .invalidRequest("the user was deleted in the meantime")
        }
        var answer: JSONObject = ["sub": .string(identity.userID.rawValue)]
        if person.consents[client.group]?.email == .hide {
            answer["email"] = .string(identity.relayAddress)
            answer["is_private_email"] = true
        }
        return answer
    }

    private func checkConsent(of person: Person, to client: RegisteredClient) throws(OAuthRefusal) {
        guard person.consents[client.group] != nil else {
            throw .invalidRequest("the user does not use the app, or stopped using it")
                .hint("keep the account unchanged until the user signs in again")
        }
    }

    // MARK: In the control API

    /// Transfers an app and its Services IDs to another team, and begins the 60 days of migration.
    ///
    /// Apple does not document the effect on existing tokens. The emulator transfers them too; they
    /// then have the receiving team's identifier of the person.
    mutating func transfer(_ object: JSONObject) throws(ControlRefusal) -> JSONObject {
        let fields = try FieldReader(object, known: ["client_id", "to_team"])
        let clientID = ClientID(try fields.text("client_id"))
        let toTeam = TeamID(try fields.text("to_team"))
        let fromTeam = try registry.move(clientID, to: toTeam)
        let transfer = Transfer(
            group: clientID,
            fromTeam: fromTeam,
            toTeam: toTeam,
            completedAt: clock.now
        )
        transfers.add(transfer)
        for person in people.all where person.consents[clientID] != nil {
            _ = identity(of: person.id, for: toTeam)
            _ = people.update(person.id) { $0.transferredGroups.insert(clientID) }
            _ = transfers.publish(person, from: fromTeam, to: toTeam)
        }
        grants.changeGrants { if $0.group == clientID { $0.teamID = toTeam } }
        return transfer.object
    }

    /// The `transfer_sub` of a token within the 60 days, if the sending team has the person.
    func transferIdentifier(for grant: Grant) -> UserID? {
        guard let transfer = transfers.openTransfer(of: grant.group, at: now),
            let person = people[grant.personID],
            transfer.toTeam == grant.teamID, person.identities[transfer.fromTeam] != nil
        else { return nil }
        return transfers.identifier(of: person, from: transfer.fromTeam, to: transfer.toTeam)
    }
}
