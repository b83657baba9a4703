import Foundation

/// What the command line asks for.
///
/// usage: siwa-fuzz list
///        siwa-fuzz seed FOLDER TARGET     writes the inputs to begin with
///        siwa-fuzz check TARGET           runs these inputs once
///        siwa-fuzz TARGET …               runs libFuzzer with its own options and folders
enum FuzzCommand {
    static let targets: [String: @Sendable () throws -> any FuzzTarget] = [
        "token": { try TokenTarget() },
        "keys": { KeysTarget() },
        "json": { JSONTarget() },
        "claims": { ClaimsTarget() },
        "notification": { try NotificationTarget() },
        "user": { UserTarget() },
        "p8": { PrivateKeyTarget() },
        "callback": { try CallbackTarget() },
        "explanation": { try ExplanationTarget() },
    ]

    /// The target named last before libFuzzer's own options, made once.
    static let target: any FuzzTarget = {
        let arguments = CommandLine.arguments.dropFirst()
        let subcommands = ["seed", "check"]
        let name = subcommands.contains(arguments.first ?? "") ? arguments.last : arguments.first
        guard let make = targets[name ?? ""] else {
            fail("there is no target \"\(name ?? "")\"; siwa-fuzz list prints them")
        }
        do { return try make() } catch { fail("\(error)") }
    }()

    static func list() {
        for name in targets.keys.sorted() { print(name) }
    }

    static func seed() throws {
        guard CommandLine.arguments.count == 4 else { fail("usage: siwa-fuzz seed FOLDER TARGET") }
        let folder = URL(filePath: CommandLine.arguments[2], directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (index, seed) in try target.seeds().enumerated() {
            try seed.write(to: folder.appending(path: "seed-\(index)"))
        }
    }

    static func check() throws {
        let seeds = try target.seeds()
        for seed in seeds { target.test(seed) }
        print("\(seeds.count) inputs hold")
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("siwa-fuzz: \(message)\n".utf8))
        exit(2)
    }
}
