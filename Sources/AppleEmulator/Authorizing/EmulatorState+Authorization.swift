import AppleIdentity
import Foundation

extension EmulatorState {
    /// Carries out a person's yes: consent the first time, and a code.
    mutating func issue(
        _ draft: AuthorizationDraft,
        to personID: PersonID,
        at time: Date
    ) throws(OAuthRefusal) -> Authorization {
        // The app may have gone to another team while the person looked at the sheet.
        let client = registry.client(draft.client.clientID) ?? draft.client
        guard let person = people[personID],
            let identity = people.update(
                personID,
                { person in
                    person.transferredGroups.remove(client.group)
                    return person.identity(
                        for: client.teamID,
                        identifierKey: configuration.identifierKey,
                        relayDomain: switches.relayDomain
                    )
                }
            )
        else {
            throw OAuthRefusal(.invalidRequest, reason: "the person was deleted meanwhile")
        }
        let isFirst = person.consents[client.group] == nil
        if isFirst { record(draft, by: person, at: time) }
        _ = people.update(person.id) { $0.consents[client.group]?.usedAt = time }
        let grant = Grant(
            personID: personID,
            clientID: client.clientID,
            group: client.group,
            teamID: client.teamID,
            nonce: draft.nonce,
            authenticatedAt: draft.authenticatedAt,
            switches: requestedSwitches
        )
        let code = grants.addCode(
            AuthorizationCode(
                grant: grant,
                redirectURI: draft.redirectURI,
                codeChallenge: draft.codeChallenge,
                issuedAt: time
            )
        )
        flows.make(code)
        flows.note(
            FlowPerson(personID: personID, group: client.group),
            email: person.account.email
        )
        return Authorization(
            code: code,
            grant: grant,
            userID: identity.userID,
            isFirst: isFirst,
            email: disclosedEmail(for: grant),
            name: draft.choice.name ?? person.name
        )
    }

    private mutating func record(_ draft: AuthorizationDraft, by person: Person, at time: Date) {
        let account = person.account
        let hidesEmail = draft.choice.hidesEmail && account.hasEmail && !account.isManaged
        let grantsEmail = draft.scopes.contains(.email) && account.hasEmail
        let consent = Consent(
            clientID: draft.client.clientID,
            grantsEmail: grantsEmail,
            hidesEmail: hidesEmail,
            sharedEmail: grantsEmail && !hidesEmail
                ? draft.choice.sharedEmail ?? account.email : nil,
            sharedName: draft.scopes.contains(.name) ? draft.choice.name ?? person.name : nil,
            grantedAt: time,
            usedAt: time
        )
        _ = people.update(person.id) { $0.consents[draft.client.group] = consent }
    }

    /// The address that the client of a grant may know.
    func disclosedEmail(for grant: Grant) -> DisclosedEmail? {
        guard let person = people[grant.personID],
            let consent = person.consents[grant.group], consent.grantsEmail,
            let identity = person.identities[grant.teamID]
        else { return nil }
        if consent.hidesEmail {
            return DisclosedEmail(
                address: identity.relayAddress,
                isVerified: true,
                isPrivate: true
            )
        }
        let address = consent.sharedEmail ?? person.account.email
        return DisclosedEmail(
            address: address,
            isVerified: person.account.isVerified(address),
            isPrivate: false
        )
    }

    /// Signs the identity token of a grant.
    func identityToken(
        for grant: Grant,
        on occasion: IdentityTokenDraft.Occasion,
        at time: Date
    ) throws(OAuthRefusal) -> String {
        let token = try unsignedIdentityToken(for: grant, on: occasion, at: time)
        do {
            return try token.signed()
        } catch {
            throw .unsigned(error)
        }
    }

    /// The identity token of a grant, to be signed later.
    func unsignedIdentityToken(
        for grant: Grant,
        on occasion: IdentityTokenDraft.Occasion,
        at time: Date
    ) throws(OAuthRefusal) -> UnsignedToken {
        guard let person = people[grant.personID], let identity = person.identities[grant.teamID]
        else { throw OAuthRefusal(.invalidGrant, reason: "the person was deleted meanwhile") }
        let draft = IdentityTokenDraft(
            switches: switches,
            clientID: grant.clientID,
            madeAt: Int(time.timeIntervalSince1970),
            userID: identity.userID,
            nonce: grant.nonce,
            // The clock may have been moved back: nobody shows who they are after the token is made.
            authenticatedAt: Int(min(grant.authenticatedAt, time).timeIntervalSince1970),
            email: disclosedEmail(for: grant),
            organizationID: person.organizationID,
            transferUserID: transferIdentifier(for: grant, at: time),
            occasion: occasion
        )
        do {
            var generator = chaosTurn.keyGenerator
            return try signingKeys.anyCurrent(using: &generator).unsignedToken(draft.claims)
        } catch {
            throw .unsigned(error)
        }
    }
}
