import AppleIdentity
import Foundation

extension EmulatorState {
    /// Moves an app and its Services IDs to another team; the 60 days for moving people begin.
    ///
    /// Apple does not say what becomes of tokens given out before: here they go along, and stand
    /// for the person as the recipient team knows them.
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
            _ = people.update(person.id) { person in
                _ = person.identity(
                    for: toTeam,
                    identifierKey: configuration.identifierKey,
                    relayDomain: switches.relayDomain
                )
                person.transferredGroups.insert(clientID)
            }
            _ = transfers.publish(person, from: fromTeam, to: toTeam)
        }
        grants.move(group: clientID, to: toTeam)
        return transfer.object
    }

    /// The `transfer_sub` of a token: there in the 60 days, for people whom the first team knew.
    func transferIdentifier(for grant: Grant, at time: Date) -> UserID? {
        guard let transfer = transfers.openTransfer(of: grant.group, at: time),
            let person = people[grant.personID],
            transfer.toTeam == grant.teamID, person.identities[transfer.fromTeam] != nil
        else { return nil }
        return transfers.identifier(of: person, from: transfer.fromTeam, to: transfer.toTeam)
    }
}

extension GrantStore {
    /// Codes and tokens of an app go along with it.
    mutating func move(group: ClientID, to teamID: TeamID) {
        changeGrants { $0.group == group ? $0.moved(to: teamID) : $0 }
    }
}

extension Grant {
    fileprivate func moved(to teamID: TeamID) -> Grant {
        Grant(
            personID: personID,
            clientID: clientID,
            group: group,
            teamID: teamID,
            nonce: nonce,
            authenticatedAt: authenticatedAt,
            switches: switches
        )
    }
}
