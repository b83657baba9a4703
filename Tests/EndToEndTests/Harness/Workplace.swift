import Foundation

/// The programs that the tests run.
enum Workplace {
    /// The siwa that was built together with these tests.
    static func siwa() throws -> URL {
        let named = ProcessInfo.processInfo.environment["SIWA_BINARY"].map { URL(filePath: $0) }
        let bundles = (Bundle.allBundles + [own]).map { $0.bundleURL.deletingLastPathComponent() }
        let folders = [Bundle.main.executableURL?.deletingLastPathComponent()].compactMap(\.self)
        let candidates =
            [named].compactMap(\.self)
            + (folders + bundles).map { $0.appending(path: "siwa") }
        return try firstExecutable(of: candidates, hint: "run: swift build --build-tests")
    }

    /// On macOS the tests are a bundle next to the programs, loaded by another process.
    private static var own: Bundle {
        #if canImport(Darwin)
            Bundle(for: Program.self)
        #else
            .main
        #endif
    }

    /// A program of the system.
    static func program(_ name: String, package: String) throws -> URL {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/usr/local/bin"
        let candidates = path.split(separator: ":").map { URL(filePath: String($0) + "/" + name) }
        return try firstExecutable(
            of: candidates,
            hint: "\(name) is missing; make setup-test installs it (Debian's \(package))"
        )
    }

    private static func firstExecutable(of candidates: [URL], hint: String) throws -> URL {
        let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { throw HarnessError(hint) }
        return found
    }
}
