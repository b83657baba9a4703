import Foundation

/// The vectors and fixtures of the package's own tests, as inputs to begin with.
enum SeedFiles {
    private static let tests: URL = {
        var url = URL(filePath: #filePath)
        for _ in 0..<5 { url.deleteLastPathComponent() }
        return url.appending(path: "Tests")
    }()

    /// The tokens that Apple really signed, one a file.
    static func tokens() throws -> [String] {
        try texts(in: "SignInWithAppleTests/Fixtures/tokens")
    }

    /// The notification that Apple really signed.
    static func notifications() throws -> [String] {
        try texts(in: "SignInWithAppleTests/Fixtures/notifications")
    }

    /// Apple's key sets through the years.
    static func keySets() throws -> [Data] {
        try files(in: "SignInWithAppleTests/Fixtures/jwks")
    }

    /// Every key that Apple's real tokens are signed with.
    static func knownKeys() throws -> Data {
        try Data(
            contentsOf: tests.appending(
                path: "SignInWithAppleTests/Fixtures/jwks/all-known-2019-2023.json"
            )
        )
    }

    /// Documents that are neither keys nor claims.
    static func discoveries() throws -> [Data] {
        try files(in: "SignInWithAppleTests/Fixtures/discovery")
    }

    /// Every text below a member's name in a file of published vectors.
    static func vectors(_ file: String, member: String) throws -> [String] {
        let url = tests.appending(path: "SignedTokensTests/Vectors/\(file)")
        return texts(of: member, in: try JSONSerialization.jsonObject(with: Data(contentsOf: url)))
    }

    /// Every object below a member's name in a file of published vectors, as JSON.
    static func vectorObjects(_ file: String, member: String) throws -> [Data] {
        let url = tests.appending(path: "SignedTokensTests/Vectors/\(file)")
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
        return try objects(of: member, in: document).map {
            try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys)
        }
    }

    private static func texts(in folder: String) throws -> [String] {
        try files(in: folder).map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    private static func files(in folder: String) throws -> [Data] {
        try FileManager.default
            .contentsOfDirectory(at: tests.appending(path: folder), includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
            .map { try Data(contentsOf: $0) }
    }

    private static func texts(of member: String, in value: Any) -> [String] {
        values(of: member, in: value).compactMap { $0 as? String }
    }

    private static func objects(of member: String, in value: Any) -> [Any] {
        values(of: member, in: value).filter { $0 is [String: Any] }
    }

    private static func values(of member: String, in value: Any) -> [Any] {
        if let object = value as? [String: Any] {
            return object.sorted { $0.key < $1.key }.flatMap { name, value in
                (name == member ? [value] : []) + values(of: member, in: value)
            }
        }
        if let array = value as? [Any] {
            return array.flatMap { values(of: member, in: $0) }
        }
        return []
    }
}
