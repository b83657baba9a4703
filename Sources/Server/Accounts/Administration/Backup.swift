import Foundation

/// The target and options of a database backup.
package struct BackupOrder: Sendable {
    /// The path of the file.
    package let path: String
    /// Whether an existing file may be replaced.
    package let replaces: Bool
    /// Receives the progress, on any thread; an error that it throws cancels the backup.
    package let progress: @Sendable (BackupProgress) throws -> Void

    package init(
        path: String,
        replaces: Bool,
        progress: @escaping @Sendable (BackupProgress) throws -> Void = { _ in }
    ) {
        self.path = path
        self.replaces = replaces
        self.progress = progress
    }
}

/// The progress of a backup.
package struct BackupProgress: Hashable, Sendable {
    /// The number of copied pages.
    package let copiedPageCount: Int
    /// The number of all pages.
    package let pageCount: Int

    package init(copiedPageCount: Int, pageCount: Int) {
        self.copiedPageCount = copiedPageCount
        self.pageCount = pageCount
    }
}

/// The content of a finished backup, which was opened again and checked.
package struct BackupReport: Hashable, Sendable {
    /// The size of the file in bytes.
    package let byteCount: Int
    package let accountCount: Int

    package init(byteCount: Int, accountCount: Int) {
        self.byteCount = byteCount
        self.accountCount = accountCount
    }
}
