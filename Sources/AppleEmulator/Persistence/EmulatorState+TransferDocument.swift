import AppleIdentity
import Foundation

extension EmulatorState {
    /// Bytes of the key from which identifiers between teams follow.
    private static let identifierKeyByteCount = 32

    func writeTransfers(to document: inout StateDocument) {
        document["transfer_identifier_key"] =
            .string(transfers.identifierKey.base64EncodedString())
        document["transfers"] = .array(
            transfers.transfers.values.sorted { $0.group.rawValue < $1.group.rawValue }
                .map { transfer in
                    [
                        "client_id": .string(transfer.group.rawValue),
                        "from_team": .string(transfer.fromTeam.rawValue),
                        "to_team": .string(transfer.toTeam.rawValue),
                        "completed_at": .time(transfer.completedAt),
                    ]
                }
        )
        document["transfer_subjects"] = .array(
            transfers.subjects.entries.map { identifier, subject in
                [
                    "transfer_sub": .string(identifier), "person_id": .person(subject.personID),
                    "from_team": .string(subject.fromTeam.rawValue),
                    "to_team": .string(subject.toTeam.rawValue),
                ]
            }
        )
        document["migration_tokens"] = .array(
            transfers.accessTokens.entries.map { token, value in
                [
                    "token": .string(token), "team_id": .string(value.teamID.rawValue),
                    "issued_at": .time(value.issuedAt),
                ]
            }
        )
    }

    mutating func readTransfers(
        _ document: StateDocument,
        _ fields: FieldReader
    ) throws(ControlRefusal) {
        let name = "transfer_identifier_key"
        if let text = try fields.optionalText(name) {
            guard let key = Data(base64Encoded: text), key.count == Self.identifierKeyByteCount
            else {
                throw .wrong(name, "must be \(Self.identifierKeyByteCount) bytes in base64")
            }
            transfers = TransferStore(identifierKey: key)
        }
        try document.each("transfers") { object throws(ControlRefusal) in
            let fields = try FieldReader(
                object,
                known: ["client_id", "from_team", "to_team", "completed_at"]
            )
            transfers.add(
                Transfer(
                    group: try fields.primaryApp("client_id", in: registry),
                    fromTeam: try fields.team("from_team", in: registry),
                    toTeam: try fields.team("to_team", in: registry),
                    completedAt: try fields.time("completed_at")
                )
            )
        }
        try document.each("transfer_subjects") { object throws(ControlRefusal) in
            try readSubject(object)
        }
        try document.each("migration_tokens") { object throws(ControlRefusal) in
            let fields = try FieldReader(object, known: ["token", "team_id", "issued_at"])
            let text = try fields.text("token")
            guard transfers.accessTokens[text] == nil else { throw .twice("token") }
            let token = MigrationToken(
                teamID: try fields.team("team_id", in: registry),
                issuedAt: try fields.time("issued_at")
            )
            transfers.accessTokens.insert(token, for: text)
        }
    }

    private mutating func readSubject(_ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: ["transfer_sub", "person_id", "from_team", "to_team"]
        )
        let identifier = try fields.text("transfer_sub")
        guard transfers.subjects[identifier] == nil else { throw .twice("transfer_sub") }
        let subject = TransferSubject(
            personID: try fields.personID(in: people),
            fromTeam: try fields.team("from_team", in: registry),
            toTeam: try fields.team("to_team", in: registry)
        )
        transfers.subjects.insert(subject, for: identifier)
    }
}
