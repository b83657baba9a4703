import Foundation
import Testing
import X509

@testable import AppleEmulatorServer

@Suite struct AuthorityFolderTests {
    private let temporary: TemporaryPath
    private var path: String { temporary.text }
    private var folder: AuthorityFolder { AuthorityFolder(path: path) }

    init() throws { temporary = try TemporaryPath(isMade: true) }

    private static let noRoots = SystemRoots(paths: [])

    @Test func filesAreMadeOnceAndTheSecretIsTheOwnersAlone() throws {
        let folder = AuthorityFolder(path: path + "/new/folder")
        let first = try folder.open(roots: Self.noRoots)
        #expect(first.notice == nil)
        #expect(try TemporaryPath.permissions(folder.secretPath) == 0o600)
        #expect(try TemporaryPath.permissions(folder.certificatePath) == 0o644)
        #expect(try TemporaryPath.permissions(folder.bundlePath) == 0o644)
        #expect(try TemporaryPath.permissions(path + "/new/folder") == 0o700)

        let again = try folder.open(roots: Self.noRoots)
        #expect(again.notice == nil)
        #expect(again.authority.certificate == first.authority.certificate)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.sorted() == ["authority.pem", "bundle.pem", "ca.pem"])
        let shown = try Self.text(folder.certificatePath) + Self.text(folder.bundlePath)
        #expect(!shown.contains("PRIVATE"))
    }

    @Test func aSecretThatOthersCouldReadIsClosed() throws {
        _ = try folder.open(roots: Self.noRoots)
        try TemporaryPath.setPermissions(0o644, of: folder.secretPath)
        _ = try folder.open(roots: Self.noRoots)
        #expect(try TemporaryPath.permissions(folder.secretPath) == 0o600)
    }

    @Test(arguments: [0o770, 0o707, 0o777])
    func aFolderThatOthersMayWriteToIsRefused(permissions: Int) throws {
        _ = try folder.open(roots: Self.noRoots)
        try TemporaryPath.setPermissions(permissions, of: path)
        let failure = #expect(throws: TLSFailure.self) { try folder.open(roots: Self.noRoots) }
        #expect(failure?.message.hasSuffix("is writable by other users") == true)
        #expect(failure?.hint.contains("--tls-data") == true)
    }

    @Test func aPlantedAuthorityThatOthersMayWriteToIsRefused() throws {
        let planted = try LocalAuthority.make(at: Date()).pem
        try planted.write(toFile: folder.secretPath, atomically: true, encoding: .utf8)
        try TemporaryPath.setPermissions(0o666, of: folder.secretPath)
        let failure = #expect(throws: TLSFailure.self) { try folder.open(roots: Self.noRoots) }
        #expect(failure?.message == "\(folder.secretPath) is writable by other users")
        #expect(!FileManager.default.fileExists(atPath: folder.certificatePath))
    }

    @Test func clientFilesThatOthersMayWriteToAreReplaced() throws {
        _ = try folder.open(roots: Self.noRoots)
        for file in [folder.certificatePath, folder.bundlePath] {
            try TemporaryPath.setPermissions(0o666, of: file)
        }
        _ = try folder.open(roots: Self.noRoots)
        #expect(try TemporaryPath.permissions(folder.certificatePath) == 0o644)
        #expect(try TemporaryPath.permissions(folder.bundlePath) == 0o644)
    }

    @Test func whatBelongsToAnotherUserIsRecognized() throws {
        #expect(FileOwnership.fault(of: path) == nil)
        #expect(FileOwnership.fault(of: path, user: geteuid() + 1) == .anotherUser)
        try FileManager.default.createSymbolicLink(
            atPath: path + "/link",
            withDestinationPath: path
        )
        #expect(FileOwnership.fault(of: path + "/link") == nil)
        try TemporaryPath.setPermissions(0o720, of: path)
        #expect(FileOwnership.fault(of: path + "/link") == .othersMayWrite)
    }

    @Test(arguments: ["", "-----BEGIN CERTIFICATE-----", "\u{0}", "x\n"])
    func aDamagedAuthorityIsReplacedAndTold(text: String) throws {
        let first = try folder.open(roots: Self.noRoots)
        try text.write(toFile: folder.secretPath, atomically: false, encoding: .utf8)
        let second = try folder.open(roots: Self.noRoots)
        #expect(second.notice?.contains("is damaged: created a new one") == true)
        #expect(second.authority.certificate != first.authority.certificate)
        #expect(try Self.text(folder.certificatePath) == second.authority.certificatePEM)
        #expect(try TemporaryPath.permissions(folder.secretPath) == 0o600)
        #expect(try folder.open(roots: Self.noRoots).notice == nil)
    }

    @Test func anAuthorityThatExpiredIsReplacedAndTold() throws {
        let later = Date().addingTimeInterval(LocalAuthority.seconds)
        _ = try folder.open(roots: Self.noRoots)
        let opened = try folder.open(at: later, roots: Self.noRoots)
        #expect(opened.notice?.contains("has expired or is about to") == true)
        #expect(opened.authority.certificate.notValidAfter > later)
    }

    @Test func clientFilesThatWereLostOrChangedComeBack() throws {
        let opened = try folder.open(roots: Self.noRoots)
        try FileManager.default.removeItem(atPath: folder.certificatePath)
        try "x".write(toFile: folder.bundlePath, atomically: true, encoding: .utf8)
        _ = try folder.open(roots: Self.noRoots)
        #expect(try Self.text(folder.certificatePath) == opened.authority.certificatePEM)
        #expect(try Self.text(folder.bundlePath) == opened.authority.certificatePEM)
    }

    @Test func theBundleHasTheSystemsRootsOnce() throws {
        let folder = AuthorityFolder(path: path + "/tls")
        let roots = path + "/roots.pem"
        let root = try LocalAuthority.make(at: Date()).certificatePEM
        try root.write(toFile: roots, atomically: true, encoding: .utf8)
        // As in a shell that took what `env` prints: the bundle names itself.
        let found = SystemRoots(paths: [folder.bundlePath, path + "/missing", roots])
        for _ in 1...2 {
            let own = try folder.open(roots: found).authority.certificatePEM
            #expect(try Self.text(folder.bundlePath) == root + own)
        }
    }

    @Test func aFolderThatCannotBeMadeIsAnError() throws {
        try "a file".write(toFile: path + "/file", atomically: true, encoding: .utf8)
        let failure = #expect(throws: TLSFailure.self) {
            try AuthorityFolder(path: path + "/file/tls").open(roots: Self.noRoots)
        }
        #expect(failure?.message.hasPrefix("can't create the folder") == true)
        #expect(failure?.hint.contains("--tls-data") == true)
    }

    @Test func aSecretThatCannotBeReadIsKept() throws {
        try FileManager.default.createDirectory(
            atPath: folder.secretPath,
            withIntermediateDirectories: false
        )
        let failure = #expect(throws: TLSFailure.self) { try folder.open(roots: Self.noRoots) }
        #expect(failure?.message == "can't read \(folder.secretPath)")
        #expect(FileManager.default.fileExists(atPath: folder.secretPath))
    }

    @Test func whoStartsAtOnceAgrees() async throws {
        let authorities = try await withThrowingTaskGroup(of: Certificate.self) { group in
            for _ in 1...8 {
                group.addTask { try folder.open(roots: Self.noRoots).authority.certificate }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(authorities.count == 1)
    }

    @Test func theUsualFolderIsThePersons() throws {
        let data = try AuthorityFolder.usual(in: ["XDG_DATA_HOME": "/data", "HOME": "/home/maya"])
        #expect(data.path == "/data/siwa/tls/")
        let home = try AuthorityFolder.usual(in: ["XDG_DATA_HOME": "data", "HOME": "/home/maya"])
        #expect(home.path.hasPrefix("/home/maya/") && home.path.hasSuffix("/siwa/tls/"))
        #expect(throws: TLSFailure.self) { try AuthorityFolder.usual(in: [:]) }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }
}
