import Accounts
import AppleIdentity
import Foundation

/// The file with which people go from one team to another: a JSON object on each line.
enum TransferFile {
    /// Bytes that a file may have: about a million people.
    static let maximumByteCount = 256 * 1024 * 1024
    /// Bytes that an identifier or an issuer may have.
    private static let maximumTextByteCount = 256

    /// Writes those who have an identifier, for the file's owner alone.
    static func write(_ people: [TransferredPerson], team: TeamID, to path: String) throws -> Int {
        let lines = people.compactMap { line($0, team) }
        let partial = path + ".partial"
        let data = Data(lines.joined().utf8)
        let files = FileManager.default
        try? files.removeItem(atPath: partial)
        guard
            files.createFile(
                atPath: partial,
                contents: data,
                attributes: [.posixPermissions: 0o600]
            ), rename(partial, path) == 0
        else {
            throw CommandFailure(
                "can't write \(path)",
                hint: "the identifiers are in the database: run the command again with another file"
            )
        }
        return lines.count
    }

    static func read(_ path: String, team: TeamID) throws -> [TransferredPerson] {
        guard let data = FileAccess.read(path, atMost: maximumByteCount) else {
            throw CommandFailure(
                "can't read \(path)",
                hint: "give the file of siwa users transfer export, of at most 256 MiB"
            )
        }
        var people: [TransferredPerson] = []
        for (index, line) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let person = person(Data(line)) else {
                throw CommandFailure(
                    "\(path):\(index + 1) is not a person on their way",
                    hint: "give the file as siwa users transfer export has written it"
                )
            }
            guard person.team == team else {
                throw CommandFailure(
                    "\(path):\(index + 1) was written for another team than \(team)",
                    hint: "SIWA_TEAM_ID has to be the team that received the app"
                )
            }
            people.append(person)
        }
        return people
    }

    private static func line(_ person: TransferredPerson, _ team: TeamID) -> String? {
        guard let identifier = person.identifier(for: team) else { return nil }
        let object: JSONObject = [
            "issuer": .string(person.person.issuer),
            "user": .string(person.person.user.rawValue),
            "transferSub": .string(identifier.rawValue), "team": .string(team.rawValue),
        ]
        return object.text + "\n"
    }

    private static func person(_ line: Data) -> TransferredPerson? {
        guard let object = try? JSONObject(parsing: line) else { return nil }
        let texts = ["issuer", "user", "transferSub", "team"].compactMap { name in
            object[name]?.stringValue.flatMap { text in
                (1...maximumTextByteCount).contains(text.utf8.count) ? text : nil
            }
        }
        guard texts.count == 4 else { return nil }
        return TransferredPerson(
            person: ApplePerson(issuer: texts[0], user: UserID(texts[1])),
            identifier: UserID(texts[2]),
            team: TeamID(texts[3])
        )
    }
}
