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

/// The folder in which one emulator keeps its state, in a file that only its owner may read.
///
/// As long as the value lives, no other process gets the same folder.
package final class StateFolder: Sendable {
    /// The state, as it is exported.
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
            // This object is whole already: its end closes the file.
            throw StateFolderError(
                "another emulator uses \(path)",
                hint: "stop it, or name another folder with --data",
                isInUse: true
            )
        }
    }

    /// A process that is just being started has all open files of this one, and the lock must not last until its program
    /// runs.
    deinit {
        _ = flock(lock, LOCK_UN)
        close(lock)
    }

    package var filePath: String { path + "/" + fileName }

    /// Whoever may write here could exchange the keys, also when the file itself is closed to them.
    private static func checkOwnership(of path: String) throws(StateFolderError) {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else {
            throw failure("use", path)
        }
        guard attributes[.type] as? FileAttributeType == .typeDirectory else {
            throw StateFolderError("\(path) is not a folder", hint: "name a folder with --data")
        }
        if let fault = FileOwnership.fault(of: path) {
            throw StateFolderError(
                "\(path) \(fault.words)",
                hint: "the state holds private keys and passwords: \(fault.fix) \(path)"
            )
        }
    }

    /// What was kept last; nil when nothing was.
    func read() throws(StateFolderError) -> Data? { try Self.contents(of: filePath) }

    /// Reads what is kept in a folder without taking the folder, which another emulator may be using.
    static func contents(of path: String, fileName: String) throws(StateFolderError) -> Data? {
        try checkOwnership(of: path)
        return try contents(of: path + "/" + fileName)
    }

    private static func contents(of filePath: String) throws(StateFolderError) -> Data? {
        let unreadable = StateFolderError(
            "can't read \(filePath)",
            hint: "it must be a file of yours; move away what is there to begin anew"
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
        // A file that somebody put there by hand may be open to others.
        chmod(filePath, 0o600)
        return data
    }

    /// Replaces what was kept, wholly or not at all, also when the power is cut meanwhile.
    func write(_ data: Data) throws(StateFolderError) {
        let newPath = filePath + ".new"
        // What a killed process left may have other rights.
        unlink(newPath)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        try Self.withDescriptor(open(newPath, flags, 0o600), of: newPath) { file in
            Self.writeAll(data, to: file) && FileFlush.flush(file)
        }
        guard rename(newPath, filePath) == 0 else { throw Self.failure("replace", filePath) }
        // The new name itself must reach the disk too.
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
            hint: "name a folder that you may write to with --data"
        )
    }
}

/// The system's function, under a name that the type's own does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

extension StateFolder {
    /// Makes the emulator that was kept here, or a fresh one of the seed.
    package func emulator(
        seed: Seed,
        configuration: EmulatorConfiguration
    ) async throws -> (emulator: AppleEmulator, isRestored: Bool) {
        guard let kept = try read() else {
            return (try await AppleEmulator(seed: seed, configuration: configuration), false)
        }
        do {
            let emulator = try await AppleEmulator(
                importing: kept,
                seed: seed,
                configuration: configuration
            )
            return (emulator, true)
        } catch let error as SeedError {
            throw StateFolderError(
                "\(filePath) can't be used: \(error)",
                hint: "fix the file, or move it away to begin with the seed; it is left as it is"
            )
        }
    }
}

/// Why a folder can't hold an emulator's state.
package struct StateFolderError: Error, Hashable, CustomStringConvertible {
    /// The file or folder, and what is wrong with it, in one line.
    package let message: String
    package let hint: String
    /// Whether it is only that another emulator uses the folder.
    package let isInUse: Bool

    init(_ message: String, hint: String, isInUse: Bool = false) {
        self.message = message
        self.hint = hint
        self.isInUse = isInUse
    }

    package var description: String { message }
}
