import Foundation

/// Who may change a file or a folder that holds private keys.
enum FileOwnership: Equatable {
    case anotherUser
    case othersMayWrite

    /// What is wrong, as the end of a sentence.
    var words: String {
        switch self {
        case .anotherUser: "belongs to another user"
        case .othersMayWrite: "may be written to by others"
        }
    }

    /// The command that corrects it; the path follows.
    var fix: String {
        switch self {
        case .anotherUser: "chown $(id -u)"
        case .othersMayWrite: "chmod go-w"
        }
    }

    /// Finds out whether anybody but this user may change what is there.
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
