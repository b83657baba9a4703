import AppleEmulator
import Foundation

/// The folder in which a person's emulators keep the keys that they sign with when they keep no state.
///
/// Making RSA keys takes longer than all else of a start. They are made by whoever starts first, and are nobody
/// else's: two installations never have the same.
package struct SigningKeyFolder: Sendable, Hashable {
    private static let fileName = "signing-keys.json"

    private let path: String

    /// - Parameter path: the folder, which is made when it is not there.
    package init(path: String) {
        self.path = path
    }

    /// The folder of the person who runs this.
    ///
    /// - Parameter environment: the process's, with `XDG_CACHE_HOME` or `HOME`:
    ///   https://specifications.freedesktop.org/basedir-spec/latest/
    /// - Returns: a folder that may not be there yet; nil when the person has no home.
    package static func usual(in environment: [String: String]) -> SigningKeyFolder? {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
            return SigningKeyFolder(path: cache + "/siwa/emulator")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        #if os(macOS)
            return SigningKeyFolder(path: home + "/Library/Caches/siwa/emulator")
        #else
            return SigningKeyFolder(path: home + "/.cache/siwa/emulator")
        #endif
    }

    /// The keys that are kept here; new ones, which are kept, when none are there that fit.
    ///
    /// A folder that can't be used, or that another start is using at the moment, costs the time of new keys.
    package var source: SigningKeySource {
        SigningKeySource { [self] count, nameLength in
            let folder = opened()
            if let document = try? folder?.read(),
                let keys = EmulatorSigningKey.keys(
                    in: document,
                    count: count,
                    nameLength: nameLength
                )
            {
                return keys
            }
            let keys = try await EmulatorSigningKey.make(count: count, nameLength: nameLength)
            try? folder?.write(EmulatorSigningKey.document(of: keys))
            return keys
        }
    }

    private func opened() -> StateFolder? {
        let parent = URL(filePath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(
            at: parent,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return try? StateFolder(path: path, fileName: Self.fileName)
    }
}
