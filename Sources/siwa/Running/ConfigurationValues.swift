import AccountsServer
import Foundation
import Yams

/// The `SIWA_…` values of a server: a file's, then the environment's over them.
enum ConfigurationValues {
    /// The longest configuration file that is read, in bytes.
    private static let maximumByteCount = 256 * 1024
    /// Settings of the outgoing mail, which this version does not send.
    private static let unusedNames: Set<String> = ["SIWA_SMTP_URL", "SIWA_MAIL_FROM"]

    static func load(file: String?) throws -> [String: String] {
        var values = try file.map(read) ?? [:]
        let environment = ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix("SIWA_") }
        values.merge(environment) { _, environment in environment }
        warn(of: values.keys)
        return values
    }

    /// A setting that changes nothing may be a misspelt one, so that it is told.
    private static func warn(of names: some Sequence<String>) {
        for name in names.sorted() where !AccountsServerConfiguration.names.contains(name) {
            let words = unusedNames.contains(name) ? "is not used yet" : "is not a setting"
            Console().writeError("note: \(name) \(words)")
        }
    }

    private static func read(_ file: String) throws -> [String: String] {
        guard let data = FileManager.default.contents(atPath: file), data.count <= maximumByteCount,
            let text = String(data: data, encoding: .utf8)
        else {
            throw CommandFailure(
                "can't read \(file)",
                hint: "give a YAML or JSON file of at most 256 KiB"
            )
        }
        guard let node = try? Yams.compose(yaml: text), let mapping = node.mapping else {
            throw CommandFailure(
                "\(file) is not a YAML or JSON mapping",
                hint: "write one SIWA_… setting per line"
            )
        }
        return try values(of: mapping, in: file)
    }

    private static func values(of mapping: Node.Mapping, in file: String) throws -> [String: String]
    {
        var values: [String: String] = [:]
        for (key, value) in mapping {
            let line = key.mark.map { ":\($0.line)" } ?? ""
            let name = key.scalar?.string ?? ""
            guard AccountsServerConfiguration.names.union(unusedNames).contains(name) else {
                throw CommandFailure(
                    "\(file)\(line): \(name.prefix(40)) is not a setting",
                    hint:
                        "the settings are \(AccountsServerConfiguration.names.sorted().joined(separator: ", "))"
                )
            }
            if let scalar = value.scalar {
                values[name] = scalar.string
            } else if let sequence = value.sequence {
                values[name] = sequence.compactMap(\.scalar?.string).joined(separator: ",")
            } else {
                throw CommandFailure(
                    "\(file)\(line): \(name) is neither a string nor a list",
                    hint: "write one value, or a list of them"
                )
            }
        }
        return values
    }
}
