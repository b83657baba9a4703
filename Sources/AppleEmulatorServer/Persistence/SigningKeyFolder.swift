import AppleEmulator
import Foundation

/// The folder in which a person's emulators keep the keys that they sign with when they keep no state.
///
/// Making RSA keys takes longer than all else of a start. They are made by whoever starts first, and are nobody
/// else's: two installations never have the same.
package struct SigningKeyFolder: Sendable, Hashable {
    private static let fileName = "signing-keys.json"

    package let path: String

    /// The folder of the person who runs this.
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
    /// A folder that can't be used costs the time of new keys.
    package func source(onFailure: @escaping @Sendable () -> Void = {}) -> SigningKeySource {
        SigningKeySource { [self] count, nameLength in
            if let keys = kept(count: count, nameLength: nameLength) { return keys }
            let keys = try await EmulatorSigningKey.make(count: count, nameLength: nameLength)
            do throws(StateFolderError) {
                let folder = try opened()
                // Of starts at the same moment, the first one's keys are everybody's.
                if let others = kept(count: count, nameLength: nameLength) { return others }
                try folder.write(EmulatorSigningKey.document(of: keys))
            } catch {
                if !error.isInUse { onFailure() }
            }
            return keys
        }
    }

    /// The keys that are here; read while others may be writing theirs, which they do in one step.
    private func kept(count: Int, nameLength: Int) -> [EmulatorSigningKey]? {
        guard let document = try? StateFolder.contents(of: path, fileName: Self.fileName) else {
            return nil
        }
        return EmulatorSigningKey.keys(in: document, count: count, nameLength: nameLength)
    }

    private func opened() throws(StateFolderError) -> StateFolder {
        let parent = URL(filePath: path).deletingLastPathComponent()
        // Where it can't be made, the folder in it says why.
        try? FileManager.default.createDirectory(
            at: parent,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return try StateFolder(path: path, fileName: Self.fileName)
    }
}
