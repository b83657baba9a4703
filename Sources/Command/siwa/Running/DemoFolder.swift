import Crypto
import Foundation

/// The demo's folder: the database, secret keys and the emulator's state.
struct DemoFolder: Sendable {
    /// The folder of a demo that is started without --data.
    static let usualPath = ".siwa"

    let url: URL

    init(path: String) throws {
        url = URL(filePath: path, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CommandFailure(
                "can't create the folder \(path)",
                hint: "give another folder with --data"
            )
        }
    }

    var path: String { url.path(percentEncoded: false) }

    var databasePath: String {
        url.appending(path: "siwa.sqlite").path(percentEncoded: false)
    }

    /// Returns a random key of 32 bytes, created at the first start and readable only by its owner.
    func key(named name: String) throws -> Data {
        let file = url.appending(path: name)
        if let stored = try? Data(contentsOf: file), stored.count == 32 { return stored }
        let made = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        _ = try write(made, named: name)
        return made
    }

    /// Writes a secret to a file that only its owner can read, and returns the file's path.
    func write(_ text: String, named name: String) throws -> String {
        try write(Data(text.utf8), named: name)
    }

    private func write(_ contents: Data, named name: String) throws -> String {
        let path = url.appending(path: name).path(percentEncoded: false)
        let isWritten = FileManager.default.createFile(
            atPath: path,
            contents: contents,
            attributes: [.posixPermissions: 0o600]
        )
        guard isWritten else {
            throw CommandFailure("can't write \(path)", hint: "give a writable folder with --data")
        }
        return path
    }
}
