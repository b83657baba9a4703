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
            _ = identity(of: person.id, for: toTeam)
            _ = people.update(person.id) { $0.transferredGroups.insert(clientID) }
            _ = transfers.publish(person, from: fromTeam, to: toTeam)
        }
        grants.changeGrants { if $0.group == clientID { $0.teamID = toTeam } }
        return transfer.object
    }

    /// The `transfer_sub` of a token: there in the 60 days, for people whom the first team knew.
    func transferIdentifier(for grant: Grant) -> UserID? {
        guard let transfer = transfers.openTransfer(of: grant.group, at: now),
            let person = people[grant.personID],
            transfer.toTeam == grant.teamID, person.identities[transfer.fromTeam] != nil
        else { return nil }
        return transfers.identifier(of: person, from: transfer.fromTeam, to: transfer.toTeam)
    }
}
