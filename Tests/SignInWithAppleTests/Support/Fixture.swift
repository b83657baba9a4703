import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// The data that Apple really signed.
enum Fixture {
    /// A token or notification, and the facts about it.
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let file: String
        let kind: String
        let kid: String
        let aud: String
        let validAt: Double
        let expiredAt: Double

        var testDescription: String { file }

        enum CodingKeys: String, CodingKey {
            case file, kind, kid, aud
            case validAt = "valid_at"
            case expiredAt = "expired_at"
        }

        /// A library of its time that expects it to be for this client, or for its own.
        func signIn(at time: Date? = nil, clientIDs: [ClientID]? = nil) throws -> AppleSignIn {
            try ScriptedApple.real(at: time ?? validTime)
                .signIn(clientIDs: clientIDs ?? [ClientID(aud)])
        }

        /// Verifies a text as a token or notification of this kind.
        func verify(_ text: String? = nil, by signIn: AppleSignIn) async throws {
            let text = try text ?? self.text()
            if kind == "notification" {
                _ = try await signIn.notification(from: notificationBody(text))
            } else {
                _ = try await signIn.verify(text, expecting: .init(nonce: .unchecked))
            }
        }

        var validTime: Date { Date(timeIntervalSince1970: validAt) }
        var expiredTime: Date { Date(timeIntervalSince1970: expiredAt) }

        /// The event in `cases.json`: an object, or a string with one as Apple sends it.
        func event() throws -> JSONObject? {
            let cases = try JSONValue(parsing: Fixture.data("cases.json")).arrayValue ?? []
            let entry = cases.first { $0.objectValue?["file"]?.stringValue == file }
            let events = entry?.objectValue?["claims"]?.objectValue?["events"]
            guard let text = events?.stringValue else { return events?.objectValue }
            return try JSONObject(parsing: Data(text.utf8))
        }

        func text() throws -> String {
            String(decoding: try Fixture.data(file), as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    static let tokens: [Case] = cases(kind: "token")
    static let notifications: [Case] = cases(kind: "notification")

    static func data(_ path: String) throws -> Data {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        return try Data(contentsOf: folder.appending(path: "Fixtures/\(path)"))
    }

    /// One document with the keys of all years.
    static func keySet() throws -> Data {
        let names = ["all-known-2019-2023", "2025-kids-from-public-tests"]
        let keys = try names.flatMap {
            try JSONObject(parsing: data("jwks/\($0).json"))["keys"]?.arrayValue ?? []
        }
        return (["keys": .array(keys)] as JSONObject).data
    }

    /// The hashed text and its hash, by the kind of hash.
    static func hashPairs() throws -> [String: [[String: String]]] {
        try JSONDecoder().decode([String: [[String: String]]].self, from: data("hash-pairs.json"))
    }

    private static func cases(kind: String) -> [Case] {
        do {
            return try JSONDecoder().decode([Case].self, from: data("cases.json"))
                .filter { $0.kind == kind }
        } catch {
            preconditionFailure("cases.json can't be read: \(error)")
        }
    }
}
