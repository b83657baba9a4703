import AppleEmulator
import Foundation

/// The file that says who and what an emulator starts with.
enum SeedFile {
    /// Reads a seed; without a file it is the demo's.
    static func seed(at path: String?) throws -> Seed {
        guard let path else { return Seed.demo(notificationURL: nil) }
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                "there is no file \(path)",
                hint: "give a YAML or JSON seed with --config, or leave it out for the demo's"
            )
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandFailure(
                "can't read \(path)",
                hint: "give a seed file in YAML or JSON with --config"
            )
        }
        do {
            return try Seed(yaml: text)
        } catch {
            throw CommandFailure("\(path): \(error)", hint: "fix the seed file and start again")
        }
    }
}

/// Files that a command is told to read.
enum FileAccess {
    /// Refuses a file that is missing, and one that this user may not read.
    ///
    /// One in a folder that they may not enter looks as if it were not there.
    static func require(_ path: String, orElse missing: CommandFailure) throws(CommandFailure) {
        guard access(path, R_OK) != 0 else { return }
        guard errno != EACCES else {
            throw CommandFailure(
                "this user may not read \(path)",
                hint: "run the command as the server's user: sudo -u siwa siwa …"
            )
        }
        guard FileManager.default.fileExists(atPath: path) else { throw missing }
    }

    /// Reads a file; nil when it can't be read or has more bytes.
    static func read(_ path: String, atMost maximumByteCount: Int) -> Data? {
        let handle = FileHandle(forReadingAtPath: path)
        defer { try? handle?.close() }
        let data = try? handle?.read(upToCount: maximumByteCount + 1)
        return data.flatMap { $0.count <= maximumByteCount ? $0 : nil }
    }
}
