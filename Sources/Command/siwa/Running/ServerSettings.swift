import AccountsServer
import Configuration
import Foundation
import SignInWithApple
import Yams

/// The `SIWA_…` settings of a server, from flags, else the environment, else a file.
enum ServerSettings {
    private static let prefix = "SIWA_"
    private static let maximumByteCount = 256 * 1024

    static var areInEnvironment: Bool {
        ProcessInfo.processInfo.environment.keys.contains(
            where: { $0.hasPrefix(prefix) && Setting.names.contains($0) }
        )
    }

    static func reader(flags: [String: String] = [:], file: String?) async throws -> ConfigReader {
        let variables = ProcessInfo.processInfo.environment
        var environment = variables.filter {
            $0.key.uppercased().hasPrefix(prefix)
                || Setting.names.contains($0.key)
        }
        warn(of: environment.keys)
        environment.merge(AppleProxy.settings(in: variables)) { $1 }
        var providers: [any ConfigProvider] = [
            AccountsServerConfiguration.provider(of: flags),
            EnvironmentVariablesProvider(
                environmentVariables: environment,
                secretsSpecifier: .specific(Setting.secretNames)
            ),
        ]
        if let file {
            let missing = CommandFailure(
                "there is no file \(file)",
                hint: "give --config a YAML or JSON file of SIWA_… settings"
            )
            try FileAccess.require(file, orElse: missing)
            try check(file)
            providers.append(try await provider(of: file))
        }
        return ConfigReader(providers: providers)
    }

    /// Reports all invalid settings but the last, and throws that one, so all are printed at once.
    static func explaining<Value>(
        _ body: () throws(ConfigurationErrors) -> Value
    ) throws(CommandFailure) -> Value {
        do {
            return try body()
        } catch {
            var failures = error.mistakes.map {
                CommandFailure("\($0.variable) \($0.message)", hint: $0.fix)
            }
            let last = failures.popLast() ?? CommandFailure("the settings can't be read")
            for failure in failures { Terminal().report(failure) }
            throw last
        }
    }

    /// Warns of unknown settings, which may be misspelt.
    private static func warn(of names: some Sequence<String>) {
        for name in names.sorted() where !Setting.names.contains(name) {
            Terminal().writeError(
                "note: \(name) is not a setting" + (guess(name).map { "; \($0)" } ?? "")
            )
        }
    }

    /// Suggests the settings whose names are most similar after the common `SIWA_`.
    private static func guess(_ name: String) -> String? {
        func ownPart(_ name: String) -> String {
            name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
        }
        let names = Dictionary(Setting.names.map { (ownPart($0), $0) }) { first, _ in first }
        let near = Spelling.nearest(to: ownPart(name.uppercased()), among: names.keys.sorted())
        return Spelling.question(near.compactMap { names[$0] })
    }

    private static func provider(of file: String) async throws -> some ConfigProvider {
        let path = ConfigValue(.string(file), isSecret: false)
        do {
            return try await FileProvider<YAMLSnapshot>(
                parsingOptions: .init(
                    secretsSpecifier: .specific(Setting.secretNames)
                ),
                config: ConfigReader(provider: InMemoryProvider(values: ["filePath": path]))
            )
        } catch {
            // The provider's error may contain a value.
            throw unreadable(file)
        }
    }

    /// Whether a file contains a setting that must never be printed.
    static func hasSecrets(in file: String) -> Bool {
        let names = (try? mapping(of: file))?.compactMap(\.key.string) ?? []
        return !Setting.secretNames.isDisjoint(with: names)
    }

    /// Refuses problems that the provider ignores: a long file, an unknown name, a nested value.
    private static func check(_ file: String) throws {
        for (key, value) in try mapping(of: file) { try check(key, value, in: file) }
    }

    private static func mapping(of file: String) throws -> Node.Mapping {
        guard let data = FileAccess.read(file, atMost: maximumByteCount),
            let text = String(data: data, encoding: .utf8)
        else { throw unreadable(file) }
        guard let node = try? Yams.compose(yaml: text), let mapping = node.mapping else {
            throw CommandFailure(
                "\(file) is not a YAML or JSON mapping",
                hint: "write one SIWA_… setting per line"
            )
        }
        return mapping
    }

    private static func check(_ key: Node, _ value: Node, in file: String) throws {
        let line = key.mark.map { ":\($0.line)" } ?? ""
        let name = key.scalar?.string ?? ""
        guard Setting.names.contains(name) else {
            let names = Setting.names.sorted().joined(separator: ", ")
            throw CommandFailure(
                "\(file)\(line): \(name.prefix(40)) is not a setting",
                hint: guess(name) ?? "known settings: \(names)"
            )
        }
        let isList = value.sequence?.allSatisfy { $0.scalar != nil } ?? false
        guard value.scalar != nil || isList else {
            throw CommandFailure(
                "\(file)\(line): \(name) is neither a string nor a list of strings",
                hint: "write one value, or a list of them"
            )
        }
    }

    private static func unreadable(_ file: String) -> CommandFailure {
        CommandFailure("can't read \(file)", hint: "give a YAML or JSON file of at most 256 KiB")
    }
}
