import AppleIdentity
import Foundation

/// The folder of a local certificate authority: its secret file, and two files for clients.
package struct AuthorityFolder: Sendable {
    /// An authority that was read or created.
    package struct Opened: Sendable {
        package let authority: LocalAuthority
        /// A notice for the user that clients must trust a new authority; otherwise nil.
        package let notice: String?
    }

    private static let maximumByteCount = 64 * 1024

    private let url: URL

    package init(path: String) {
        url = URL(filePath: path, directoryHint: .isDirectory).absoluteURL
    }

    /// The certificate, for clients that add it to those they trust.
    package var certificatePath: String { path(of: "ca.pem") }
    /// The system's roots and the certificate, for clients that trust one file only.
    package var bundlePath: String { path(of: "bundle.pem") }
    /// The folder, with a slash at the end.
    package var path: String { url.path(percentEncoded: false) }
    /// The key and the certificate, readable by the owner only.
    package var secretPath: String { path(of: "authority.pem") }

    /// Reads the authority, or creates one if it is missing or no longer valid, and writes the
    /// files for clients.
    package func open(
        at now: Date = TimeSource.live.now,
        roots: SystemRoots
    ) throws(TLSFailure) -> Opened {
        try makeFolder()
        // Another user with write access could make clients trust a different authority.
        for path in [path, secretPath] {
            guard let fault = FileOwnership.fault(of: path) else { continue }
            throw TLSFailure(
                message: "\(path) \(fault.words)",
                hint: "delete it, or choose another folder with --tls-data"
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
                notice: "the certificate authority in \(secretPath) \(error.words): "
                    + "created a new one, which clients must trust"
            )
        }
    }

    /// The secret file's content; nil if it is not UTF-8.
    private func secretText() throws(TLSFailure) -> String? {
        let handle: FileHandle
        let data: Data
        do {
            handle = try FileHandle(forReadingFrom: URL(filePath: secretPath))
            data = try handle.read(upToCount: Self.maximumByteCount) ?? Data()
        } catch {
            throw TLSFailure(
                message: "can't read \(secretPath)",
                hint: "make it readable for your user, or choose another folder with --tls-data"
            )
        }
        return String(data: data, encoding: .utf8)
    }

    /// Creates an authority; if another process was faster, reads that one's.
    private func make(at now: Date) throws(TLSFailure) -> LocalAuthority {
        let manager = FileManager.default
        let draft = secretPath + ".\(UInt64.random(in: 0 ... .max))"
        defer { try? manager.removeItem(atPath: draft) }
        do {
            let authority = try LocalAuthority.make(at: now)
            try writeSecret(try authority.pem, to: draft)
            // Linking fails if the file exists: processes that start at once use one authority.
            if (try? manager.linkItem(atPath: draft, toPath: secretPath)) != nil {
                return authority
            }
            guard let text = try secretText() else { throw unwritable }
            return try LocalAuthority(pem: text, at: now)
        } catch {
            throw unwritable
        }
    }

    /// Writes a file for the owner only: its mode is set before the secret is written.
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

    /// Writes a file that all users may read, unless it already has this content.
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
                hint: "choose another folder with --tls-data"
            )
        }
    }

    private var unwritable: TLSFailure {
        TLSFailure(
            message: "can't write to the folder \(path)",
            hint: "choose a writable folder with --tls-data"
        )
    }

    private func path(of name: String) -> String {
        url.appending(path: name).path(percentEncoded: false)
    }
}

extension AuthorityFolder {
    /// The user's folder, the same for every start, because clients trust its authority once.
    package static func usual(
        in environment: [String: String]
    ) throws(TLSFailure) -> AuthorityFolder {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return AuthorityFolder(path: data + "/siwa/tls")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw TLSFailure(
                message: "there is no home directory for the certificate authority",
                hint: "choose a folder with --tls-data"
            )
        }
        #if os(macOS)
            return AuthorityFolder(path: home + "/Library/Application Support/siwa/tls")
        #else
            return AuthorityFolder(path: home + "/.local/share/siwa/tls")
        #endif
    }
}
