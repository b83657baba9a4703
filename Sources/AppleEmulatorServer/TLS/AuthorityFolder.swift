import AppleIdentity
import Foundation

/// The folder of a local certificate authority: its secret file, and the two that clients read.
package struct AuthorityFolder: Sendable {
    /// An authority as it was found or made.
    package struct Opened: Sendable {
        package let authority: LocalAuthority
        /// What the person should know: that clients have to trust a new one; nil is usual.
        package let notice: String?
    }

    private static let maximumByteCount = 64 * 1024

    private let url: URL

    package init(path: String) {
        url = URL(filePath: path, directoryHint: .isDirectory).absoluteURL
    }

    /// The certificate that clients trust besides others.
    package var certificatePath: String { path(of: "ca.pem") }
    /// The system's roots and the certificate, for clients that trust one file alone.
    package var bundlePath: String { path(of: "bundle.pem") }
    /// The folder, with a slash at the end.
    package var path: String { url.path(percentEncoded: false) }
    /// Key and certificate, for the owner alone.
    package var secretPath: String { path(of: "authority.pem") }

    /// Reads the authority, or makes one where none is or it is no longer good, and writes what
    /// clients read.
    package func open(
        at now: Date = TimeSource.live.now,
        roots: SystemRoots
    ) throws(TLSFailure) -> Opened {
        try makeFolder()
        // Whoever may write here could give clients an authority of their own to trust.
        for path in [path, secretPath] {
            guard let fault = FileOwnership.fault(of: path) else { continue }
            throw TLSFailure(
                message: "\(path) \(fault.words)",
                hint: "delete it, or name another folder with --tls-data"
            )
        }
        let opened = try readOrMake(at: now)
        do {
            let certificate = try opened.authority.certificatePEM
            try write(certificate, to: certificatePath)
            try write(roots.text(without: bundlePath) + certificate, to: bundlePath)
        } catch {
            throw unwritable
        }
        return opened
    }

    private func readOrMake(at now: Date) throws(TLSFailure) -> Opened {
        guard FileManager.default.fileExists(atPath: secretPath) else {
            return Opened(authority: try make(at: now), notice: nil)
        }
        let text = try secretText()
        do throws(LocalAuthority.Fault) {
            let authority = try LocalAuthority(pem: text ?? "", at: now)
            try? FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: secretPath
            )
            return Opened(authority: authority, notice: nil)
        } catch {
            try? FileManager.default.removeItem(atPath: secretPath)
            return Opened(
                authority: try make(at: now),
                notice: "the authority in \(secretPath) \(error.words): "
                    + "made a new one, which clients have to trust anew"
            )
        }
    }

    /// The secret file's text; nil when it is none.
    private func secretText() throws(TLSFailure) -> String? {
        let handle: FileHandle
        let data: Data
        do {
            handle = try FileHandle(forReadingFrom: URL(filePath: secretPath))
            data = try handle.read(upToCount: Self.maximumByteCount) ?? Data()
        } catch {
            throw TLSFailure(
                message: "can't read \(secretPath)",
                hint: "make it readable for who starts this, or name another folder with --tls-data"
            )
        }
        return String(data: data, encoding: .utf8)
    }

    /// Makes an authority; where another process was faster, takes that one's.
    private func make(at now: Date) throws(TLSFailure) -> LocalAuthority {
        let manager = FileManager.default
        let draft = secretPath + ".\(UInt64.random(in: 0 ... .max))"
        defer { try? manager.removeItem(atPath: draft) }
        do {
            let authority = try LocalAuthority.make(at: now)
            try writeSecret(try authority.pem, to: draft)
            // A link is made only where nothing is, so that all who start at once agree.
            if (try? manager.linkItem(atPath: draft, toPath: secretPath)) != nil {
                return authority
            }
            guard let text = try secretText() else { throw unwritable }
            return try LocalAuthority(pem: text, at: now)
        } catch {
            throw unwritable
        }
    }

    /// Writes a file for the owner alone: the secret comes when the mode is set.
    private func writeSecret(_ text: String, to path: String) throws {
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: mode) else {
            throw unwritable
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.write(contentsOf: Data(text.utf8))
        try handle.synchronize()
        try handle.close()
    }

    /// Writes a file that everybody may read, unless it is there already.
    private func write(_ text: String, to path: String) throws {
        let data = Data(text.utf8)
        let isOwn = FileOwnership.fault(of: path) == nil
        guard !isOwn || FileManager.default.contents(atPath: path) != data else { return }
        try data.write(to: URL(filePath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    }

    private func makeFolder() throws(TLSFailure) {
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw TLSFailure(
                message: "can't create the folder \(path)",
                hint: "name another with --tls-data"
            )
        }
    }

    private var unwritable: TLSFailure {
        TLSFailure(
            message: "can't write to the folder \(path)",
            hint: "name one that you may write to with --tls-data"
        )
    }

    private func path(of name: String) -> String {
        url.appending(path: name).path(percentEncoded: false)
    }
}

extension AuthorityFolder {
    /// The folder of the person who runs this, the same for every start, so that clients trust it
    /// once.
    package static func usual(
        in environment: [String: String]
    ) throws(TLSFailure) -> AuthorityFolder {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return AuthorityFolder(path: data + "/siwa/tls")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw TLSFailure(
                message: "there is no home folder for the certificate authority",
                hint: "name a folder with --tls-data"
            )
        }
        #if os(macOS)
            return AuthorityFolder(path: home + "/Library/Application Support/siwa/tls")
        #else
            return AuthorityFolder(path: home + "/.local/share/siwa/tls")
        #endif
    }
}
