import AppleEmulator
import Foundation

/// The file with the teams, apps and people at an emulator's start.
enum SeedFile {
    /// Checks a seed as at an emulator's start, and says what it has.
    static func summary(ofSeedAt path: String, strict: Bool) async throws -> String {
        let seed = try seed(at: path)
        var configuration = EmulatorConfiguration()
        configuration.isStrict = strict
        do {
            _ = try await AppleEmulator(seed: seed, configuration: configuration)
        } catch {
            throw CommandFailure("\(path): \(error)", hint: "fix the seed file")
        }
        let counts = [
            ("teams", seed.teams.count), ("keys", seed.keys.count), ("apps", seed.apps.count),
            ("Services IDs", seed.services.count), ("people", seed.people.count),
            ("mail sources", seed.mailSources.count),
        ]
        return "\(path) is valid; " + counts.map { "\($0): \($1)" }.joined(separator: ", ")
    }

    /// Reads a seed; without a path, returns the demo's.
    static func seed(at path: String?) throws -> Seed {
        guard let path else { return Seed.demo(notificationURL: nil) }
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                "there is no file \(path)",
                hint: "give the path of a YAML or JSON seed with --config or --check"
            )
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandFailure(
                "can't read \(path)",
                hint: "give the path of a YAML or JSON seed with --config or --check"
            )
        }
        do {
            return try Seed(yaml: text)
        } catch {
            throw CommandFailure("\(path): \(error)", hint: "fix the seed file and start again")
        }
    }
}

/// Access to the files that a command reads.
enum FileAccess {
    /// Refuses a file that is missing or that the user of this process may not read.
    ///
    /// The order matters: a file in a folder without permission looks missing.
    static func require(_ path: String, orElse missing: CommandFailure) throws(CommandFailure) {
        guard access(path, R_OK) != 0 else { return }
        guard errno != EACCES else {
            throw CommandFailure(
                "no permission to read \(path)",
                hint: "run the command as the server's user: sudo -u siwa siwa …"
            )
        }
        guard FileManager.default.fileExists(atPath: path) else { throw missing }
    }

    /// Returns the file's bytes, nil if it is unreadable or larger.
    static func read(_ path: String, atMost maximumByteCount: Int) -> Data? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        // An empty file has no bytes to read, which isn't an error.
        guard let data = try? handle.read(upToCount: maximumByteCount + 1) ?? Data() else {
            return nil
        }
        return data.count <= maximumByteCount ? data : nil
    }
}
