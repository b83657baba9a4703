import AppleEmulator
import AppleIdentity
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The folder in which one emulator stores its state, in a file that only its owner may read.
///
/// While this object exists, no other process can use the folder.
package final class StateFolder: Sendable {
    /// The file with the exported state.
    package static let fileName = "emulator.json"
    private static let lockName = "emulator.lock"

    private let path: String
    private let fileName: String
    private let lock: Int32

    package init(path: String, fileName: String = StateFolder.fileName) throws(StateFolderError) {
        self.fileName = fileName
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.path = path
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw Self.failure("create the folder", path)
        }
        try Self.checkOwnership(of: path)
        lock = open(path + "/" + Self.lockName, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.failure("write to", path) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            // All properties are set, so `deinit` closes the file.
            throw StateFolderError(
                "another emulator uses \(path)",
                hint: "stop it, or choose another folder with --data",
                isInUse: true
            )
        }
    }

    /// Unlocks explicitly: a child process that is starting still has the open file.
    deinit {
        _ = flock(lock, LOCK_UN)
        close(lock)
    }

    package var filePath: String { path + "/" + fileName }

    /// A user who can write to the folder could replace the keys without access to the file.
    private static func checkOwnership(of path: String) throws(StateFolderError) {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else {
            throw failure("use", path)
        }
        guard attributes[.type] as? FileAttributeType == .typeDirectory else {
            throw StateFolderError("\(path) is not a folder", hint: "choose a folder with --data")
        }
        if let fault = FileOwnership.fault(of: path) {
            throw StateFolderError(
                "\(path) \(fault.words)",
                hint: "the state holds private keys and passwords: \(fault.fix) \(path)"
            )
        }
    }

    /// Reads the stored state; nil if there is none.
    func read() throws(StateFolderError) -> Data? { try Self.contents(of: filePath) }

    /// Reads a file of a folder without locking it, because another emulator may be using it.
    static func contents(of path: String, fileName: String) throws(StateFolderError) -> Data? {
        try checkOwnership(of: path)
        return try contents(of: path + "/" + fileName)
    }

    private static func contents(of filePath: String) throws(StateFolderError) -> Data? {
        let unreadable = StateFolderError(
            "can't read \(filePath)",
            hint: "it must be your own file; move it away to start from the seed"
        )
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: filePath)
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch {
            throw unreadable
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular,
            let data = FileManager.default.contents(atPath: filePath)
        else { throw unreadable }
        // A file that was copied here may be readable by others.
        chmod(filePath, 0o600)
        return data
    }

    /// Replaces the stored state atomically, even if the power fails meanwhile.
    func write(_ data: Data) throws(StateFolderError) {
        let newPath = filePath + ".new"
        // A file left by a killed process may have other permissions.
        unlink(newPath)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        try Self.withDescriptor(open(newPath, flags, 0o600), of: newPath) { file in
            Self.writeAll(data, to: file) && FileFlush.flush(file)
        }
        guard rename(newPath, filePath) == 0 else { throw Self.failure("replace", filePath) }
        // The new directory entry must reach the disk too.
        try Self.withDescriptor(open(path, O_RDONLY | O_CLOEXEC), of: path, FileFlush.flush)
    }

    private static func withDescriptor(
        _ descriptor: Int32,
        of path: String,
        _ use: (Int32) -> Bool
    ) throws(StateFolderError) {
        guard descriptor >= 0 else { throw failure("write", path) }
        defer { close(descriptor) }
        guard use(descriptor) else { throw failure("write", path) }
    }

    private static func writeAll(_ data: Data, to descriptor: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    private static func failure(_ doing: String, _ path: String) -> StateFolderError {
        let reason = String(cString: strerror(errno))
        return StateFolderError(
            "can't \(doing) \(path): \(reason.prefix(1).lowercased() + reason.dropFirst())",
            hint: "choose a writable folder with --data"
        )
    }
}

/// The system's `write`, which the type's own method would hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

extension StateFolder {
    /// Creates the emulator from the stored state, or a new one from the seed.
    package func emulator(
        seed: Seed,
        configuration: EmulatorConfiguration
    ) async throws -> (emulator: AppleEmulator, isRestored: Bool) {
        guard let stored = try read() else {
            return (try await AppleEmulator(seed: seed, configuration: configuration), false)
        }
        do {
            let emulator = try await AppleEmulator(
                importing: stored,
                seed: seed,
                configuration: configuration
            )
            return (emulator, true)
        } catch let error as SeedError {
            throw StateFolderError(
                "\(filePath) can't be used: \(error)",
                hint: "fix the file, or move it away to start from the seed; it was not changed"
            )
        }
    }
}

/// A failure to use a folder for an emulator's state, with a hint.
package struct StateFolderError: Error, Hashable, CustomStringConvertible {
    /// The file or folder and its problem, in one line.
    package let message: String
    package let hint: String
    /// Whether another emulator uses the folder.
    package let isInUse: Bool

    init(_ message: String, hint: String, isInUse: Bool = false) {
        (self.message, self.hint, self.isInUse) = (message, hint, isInUse)
    }

    package var description: String { message }
}
