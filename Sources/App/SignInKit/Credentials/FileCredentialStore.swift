import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// Stores each record in a file that only its owner can read.
///
/// Writes are atomic.
///
/// The folder has mode 0700, the files 0600. Symbolic links, and files that other users own or can
/// access, throw ``CredentialStoreError/unsafe(_:)``.
public struct FileCredentialStore: CredentialStore {
    private let folder: URL

    /// Creates a store with the given values.
    ///
    /// - Parameter folder: a folder used only for these files. It is created with the first record.
    public init(folder: URL) {
        self.folder = folder
    }

    /// Reads a record, as ``CredentialStore/read(_:)`` says.
    public func read(_ record: CredentialRecord) async throws(CredentialStoreError) -> Data? {
        guard try checkFolder() else { return nil }
        let descriptor = open(path(of: record), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.failure("open", record.rawValue)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try check(descriptor, record)
        guard let data = try? file.read(upToCount: CredentialRecord.maximumByteCount + 1) else {
            return Data()
        }
        guard data.count <= CredentialRecord.maximumByteCount else { throw .tooLarge }
        return data
    }

    /// Replaces a record, as ``CredentialStore/write(_:to:)`` says.
    public func write(
        _ data: Data,
        to record: CredentialRecord
    ) async throws(CredentialStoreError) {
        guard data.count <= CredentialRecord.maximumByteCount else { throw .tooLarge }
        try makeFolder()
        let temporary = path(of: record) + ".new-" + Nonces.make().prefix(16)
        do throws(CredentialStoreError) {
            try write(data, toNewFile: temporary)
            guard rename(temporary, path(of: record)) == 0 else {
                throw Self.failure("rename", record.rawValue)
            }
            try flushFolder()
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Removes a record, as ``CredentialStore/remove(_:)`` says.
    public func remove(_ record: CredentialRecord) async throws(CredentialStoreError) {
        guard try checkFolder() else { return }
        guard unlink(path(of: record)) == 0 || errno == ENOENT else {
            throw Self.failure("unlink", record.rawValue)
        }
        try flushFolder()
    }

    private func path(of record: CredentialRecord) -> String {
        folder.appending(component: record.rawValue).path(percentEncoded: false)
    }

    private var folderPath: String { folder.path(percentEncoded: false) }

    private func write(
        _ data: Data,
        toNewFile path: String
    ) throws(CredentialStoreError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("open", "a new file") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard (try? file.write(contentsOf: data)) != nil, (try? file.synchronize()) != nil else {
            throw Self.failure("write", "a new file")
        }
    }

    /// The renamed file must survive a power cut.
    private func flushFolder() throws(CredentialStoreError) {
        let descriptor = open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("open", "the folder") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.failure("fsync", "the folder") }
    }
}

/// The permissions of the files.
extension FileCredentialStore {
    private static let othersMode: mode_t = 0o077

    private func makeFolder() throws(CredentialStoreError) {
        guard try !checkFolder() else { return }
        let parent = folder.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        guard mkdir(folderPath.droppingSlash, 0o700) == 0 || errno == EEXIST else {
            throw Self.failure("mkdir", "the folder")
        }
        _ = try checkFolder()
    }

    /// - Returns: whether the folder exists; if it does, only this user can access it.
    private func checkFolder() throws(CredentialStoreError) -> Bool {
        var status = stat()
        guard lstat(folderPath.droppingSlash, &status) == 0 else {
            if errno == ENOENT { return false }
            throw Self.failure("lstat", "the folder")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .unsafe("the path is not a folder") }
        try Self.checkOwner(of: status, "the folder")
        return true
    }

    private func check(
        _ descriptor: Int32,
        _ record: CredentialRecord
    ) throws(CredentialStoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure("fstat", record.rawValue) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unsafe("\(record.rawValue) is not a file")
        }
        try Self.checkOwner(of: status, record.rawValue)
    }

    private static func checkOwner(
        of status: stat,
        _ name: String
    ) throws(CredentialStoreError) {
        guard status.st_uid == geteuid() else { throw .unsafe("\(name) belongs to another user") }
        guard status.st_mode & othersMode == 0 else { throw .unsafe("others can access \(name)") }
    }

    private static func failure(_ call: String, _ name: String) -> CredentialStoreError {
        let code = errno
        return code == ELOOP
            ? .unsafe("\(name) is a symbolic link") : .failed("\(call) of \(name): error \(code)")
    }
}

extension String {
    /// The path without a slash at its end, because the slash would make the system follow a symbolic link.
    fileprivate var droppingSlash: String {
        count > 1 && hasSuffix("/") ? String(dropLast()) : self
    }
}
