import AppleEmulator
import Foundation

/// The folder in which a user's emulators without stored state keep their signing keys.
///
/// Creating RSA keys takes most of the time of a start. The first start creates them, so two
/// installations never have the same keys.
package struct SigningKeyFolder: Sendable, Hashable {
    private static let fileName = "signing-keys.json"

    package let path: String

    /// The current user's folder; nil without a home directory.
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

    /// Returns a source of the stored keys; it creates and stores new ones if none match.
    ///
    /// If the folder can't be used, `onFailure` is called and new keys are used.
    package func source(onFailure: @escaping @Sendable () -> Void = {}) -> SigningKeySource {
        SigningKeySource { [self] count, nameLength in
            if let keys = storedKeys(count: count, nameLength: nameLength) { return keys }
            let keys = try await EmulatorSigningKey.make(count: count, nameLength: nameLength)
            do throws(StateFolderError) {
                let folder = try opened()
                // Emulators that start at the same time use the keys of the first one.
                if let others = storedKeys(count: count, nameLength: nameLength) { return others }
                try folder.write(EmulatorSigningKey.document(of: keys))
            } catch {
                if !error.isInUse { onFailure() }
            }
            return keys
        }
    }

    /// Reads the stored keys without a lock, because they are replaced atomically.
    private func storedKeys(count: Int, nameLength: Int) -> [EmulatorSigningKey]? {
        guard let document = try? StateFolder.contents(of: path, fileName: Self.fileName) else {
            return nil
        }
        return EmulatorSigningKey.keys(in: document, count: count, nameLength: nameLength)
    }

    private func opened() throws(StateFolderError) -> StateFolder {
        let parent = URL(filePath: path).deletingLastPathComponent()
        // If this fails, creating the folder in it reports why.
        try? FileManager.default.createDirectory(
            at: parent,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return try StateFolder(path: path, fileName: Self.fileName)
    }
}
