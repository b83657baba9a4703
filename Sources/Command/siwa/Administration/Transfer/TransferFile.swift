import Accounts
import AppleIdentity
import Foundation

/// The file that the sending team gives the recipient: a JSON object for each user on a line.
enum TransferFile {
    /// Enough for about a million users.
    static let maximumByteCount = 256 * 1024 * 1024
    /// The limit of an identifier, and of an issuer.
    private static let maximumTextByteCount = 256

    /// Writes the users who have an identifier to a file that only its owner can read, and returns their number.
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
                hint: "the database has the identifiers: run the command again with another file"
            )
        }
        return lines.count
    }

    static func read(_ path: String, team: TeamID) throws -> [TransferredPerson] {
        guard let data = FileAccess.read(path, atMost: maximumByteCount) else {
            throw CommandFailure(
                "can't read \(path)",
                hint: "give the file that siwa users transfer export wrote, of at most 256 MiB"
            )
        }
        var people: [TransferredPerson] = []
        for (index, line) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let person = person(Data(line)) else {
                throw CommandFailure(
                    "\(path):\(index + 1) is not an exported user",
                    hint: "give the unchanged file that siwa users transfer export wrote"
                )
            }
            guard person.team == team else {
                throw CommandFailure(
                    "\(path):\(index + 1) was written for a team other than \(team)",
                    hint: "set SIWA_TEAM_ID to the team that received the app"
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
