import Foundation

/// The reasons why other users can change a file or a folder with private keys.
enum FileOwnership: Equatable {
    case anotherUser
    case othersMayWrite

    /// The reason, as the end of a sentence.
    var words: String {
        switch self {
        case .anotherUser: "belongs to another user"
        case .othersMayWrite: "is writable by other users"
        }
    }

    /// The command that fixes it, without the path.
    var fix: String {
        switch self {
        case .anotherUser: "chown $(id -u)"
        case .othersMayWrite: "chmod go-w"
        }
    }

    /// Checks whether other users can change a file or folder; nil if not, or if it is missing.
    static func fault(of path: String, user: uid_t = geteuid()) -> FileOwnership? {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else {
            return nil
        }
        let owner = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value
        guard owner == user else { return .anotherUser }
        let permissions = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        return permissions & 0o022 == 0 ? nil : .othersMayWrite
    }
}
