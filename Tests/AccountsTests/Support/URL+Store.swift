import Foundation

extension URL {
    /// The file of a store in the folder.
    var databasePath: String { appending(path: "accounts.sqlite").path }

    /// Every byte of every file in the folder: database, log and index.
    func everything() throws -> Data {
        let files = try FileManager.default.contentsOfDirectory(
            at: self,
            includingPropertiesForKeys: nil
        )
        return try files.reduce(into: Data()) { $0.append(try Data(contentsOf: $1)) }
    }
}
