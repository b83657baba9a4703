import AppleIdentity
import Foundation

extension EmulatorState {
    /// Grants an authorization: records consent the first time, and issues a code.
    mutating func issue(
        _ draft: AuthorizationDraft,
        to personID: PersonID
    ) throws(OAuthRefusal) -> Authorization {
        // The app may have been transferred to another team while the sheet was open.
        let client = registry.client(draft.client.clientID) ?? draft.client
        guard let person = people[personID],
            let identity = identity(of: personID, for: client.teamID)
        else { throw .invalidRequest("the user was deleted in the meantime") }
        let isFirst = person.consents[client.group] == nil
        let now = now
        if isFirst { record(draft, by: person) }
        _ = people.update(person.id) {
            $0.consents[client.group]?.usedAt = now
            $0.transferredGroups.remove(client.group)
        }
        let grant = Grant(
            personID: personID,
            clientID: client.clientID,
            group: client.group,
            teamID: client.teamID,
            nonce: draft.nonce,
            authenticatedAt: draft.authenticatedAt,
            switches: requestedSwitches
        )
        let code = grants.codes.add(
            AuthorizationCode(
                grant: grant,
                redirectURI: draft.redirectURI,
                codeChallenge: draft.codeChallenge,
                issuedAt: now
            ),
            as: TokenText.authorizationCode()
        )
        flows.make(code)
        flows.note(FlowPerson(personID: personID, group: client.group), email: person.account.email)
        return Authorization(
            code: code,
            grant: grant,
            userID: identity.userID,
            isFirst: isFirst,
            email: disclosedEmail(for: grant),
            name: draft.choice.name ?? person.name
        )
    }

    /// The person's identity for a team, created if it is new; nil for a deleted person.
    mutating func identity(of personID: PersonID, for teamID: TeamID) -> TeamIdentity? {
        people.update(personID) {
            $0.identity(
                for: teamID,
                identifierKey: configuration.identifierKey,
                relayDomain: switches.relayDomain
            )
        }
    }

    private mutating func record(_ draft: AuthorizationDraft, by person: Person) {
        let account = person.account
        let email: Consent.Email =
            if !draft.scopes.contains(.email) || !account.hasEmail { .none } else {
                draft.choice.email == .hide && !account.isManaged ? .hide : .share
            }
        let consent = Consent(
            clientID: draft.client.clientID,
            email: email,
            sharedEmail: email == .share ? draft.choice.sharedEmail ?? account.email : nil,
            sharedName: draft.scopes.contains(.name) ? draft.choice.name ?? person.name : nil,
            grantedAt: now,
            usedAt: now
        )
        _ = people.update(person.id) { $0.consents[draft.client.group] = consent }
    }

    /// The email address that the client of a grant may receive.
    func disclosedEmail(for grant: Grant) -> DisclosedEmail? {
        guard let person = people[grant.personID], let consent = person.consents[grant.group],
            consent.email != .none, let identity = person.identities[grant.teamID]
        else { return nil }
        if consent.email == .hide {
            return DisclosedEmail(address: identity.relayAddress, isVerified: true, isPrivate: true)
        }
        let address = consent.sharedEmail ?? person.account.email
        return DisclosedEmail(
            address: address,
            isVerified: person.account.isVerified(address),
            isPrivate: false
        )
    }

    func identityToken(
        for grant: Grant,
        on occasion: IdentityTokenDraft.Occasion
    ) throws(OAuthRefusal) -> String {
        let token = try unsignedIdentityToken(for: grant, on: occasion)
        do {
            return try token.signed()
        } catch {
            throw .unsigned(error)
        }
    }

    /// Returns the identity token of a grant, to sign later.
    func unsignedIdentityToken(
        for grant: Grant,
        on occasion: IdentityTokenDraft.Occasion
    ) throws(OAuthRefusal) -> UnsignedToken {
        guard let person = people[grant.personID], let identity = person.identities[grant.teamID]
        else { throw .invalidGrant("the user was deleted in the meantime") }
        let draft = IdentityTokenDraft(
            switches: switches,
            clientID: grant.clientID,
            madeAt: Int(now.timeIntervalSince1970),
            userID: identity.userID,
            nonce: grant.nonce,
            // If the clock was moved back, auth_time must not be later than iat.
            authenticatedAt: Int(min(grant.authenticatedAt, now).timeIntervalSince1970),
            email: disclosedEmail(for: grant),
            organizationID: person.organizationID,
            transferUserID: transferIdentifier(for: grant),
            occasion: occasion
        )
        do {
            return try signingKeys.anyCurrent()
                .unsignedToken(draft.claims, defect: switches.identityTokenDefect)
        } catch {
            throw .unsigned(error)
        }
    }
}

/// A granted authorization: the code and its data.
struct Authorization {
    let code: String
    let grant: Grant
    let userID: UserID
    /// Whether it is the person's first authorization for the app group.
    let isFirst: Bool
    let email: DisclosedEmail?
    /// The name from the sheet, which the person may have edited.
    let name: PersonName
}

struct AuthorizationDraft {
    let client: RegisteredClient
    let scopes: Set<Scope>
    var nonce: String?
    var redirectURI: String?
    var codeChallenge: String?
    let authenticatedAt: Date
    let choice: PersonChoice
}
