import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@testable import AppleEmulatorServer

@Suite struct LocalAuthorityTests {
    private let temporary: TemporaryPath
    private var folder: String { temporary.text }

    init() throws { temporary = try TemporaryPath(isMade: true) }

    /// Certificates know whole seconds only.
    private static let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())

    @Test(arguments: AppleHosts.names)
    func opensslAcceptsTheCertificateForEachHost(name: String) throws {
        let authority = try LocalAuthority.make(at: Self.now)
        let verdict = try Self.verdict(authority, issuing: AppleHosts.names, name, in: folder)
        #expect(verdict.code == 0, "\(verdict.words)")
    }

    @Test(arguments: [
        "www.apple.com", "apple.com", "example.com", "localhost", "evilappleid.apple.com",
        "appleid.apple.com.example.com",
    ])
    func theAuthorityCannotSpeakForAnotherHost(name: String) async throws {
        let authority = try LocalAuthority.make(at: Self.now)
        let names = ["appleid.apple.com", name]
        let verdict = try Self.verdict(authority, issuing: names, name, in: folder)
        #expect(verdict.code != 0)
        #expect(verdict.words.contains("permitted subtree violation"), "\(verdict.words)")

        let found = await Self.isValid(try authority.issue(at: Self.now, for: names), authority)
        #expect(!found)
    }

    @Test func theAuthorityCannotSpeakForURIs() throws {
        let authority = try LocalAuthority.make(at: Self.now)
        let names: [GeneralName] = [
            .dnsName(AppleHosts.names[0]), .uniformResourceIdentifier("https://example.com/"),
        ]
        let issued = try Self.certificate(of: authority, for: names)
        let verdict = try Self.verdict(authority, issued, AppleHosts.names[0], in: folder)
        #expect(verdict.code != 0)
        #expect(verdict.words.contains("permitted subtree violation"), "\(verdict.words)")
    }

    @Test func theAuthorityCannotSpeakForEmail() throws {
        let authority = try LocalAuthority.make(at: Self.now)
        let issued = try Self.certificate(of: authority, for: [.rfc822Name("maya@example.com")])
        let verdict = try Self.verdict(authority, issued, in: folder, purpose: "smimesign")
        #expect(verdict.code != 0)
        #expect(verdict.words.contains("certificate purpose"), "\(verdict.words)")
    }

    private static func certificate(
        of authority: LocalAuthority,
        for names: [GeneralName]
    ) throws -> Certificate {
        try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(P256.Signing.PrivateKey().publicKey),
            notValidBefore: now.addingTimeInterval(-1),
            notValidAfter: now.addingTimeInterval(86_400),
            issuer: authority.certificate.subject,
            subject: DistinguishedName { CommonName("Any") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                SubjectAlternativeNames(names)
                AuthorityKeyIdentifier(
                    keyIdentifier: SubjectKeyIdentifier(
                        hash: authority.certificate.publicKey
                    ).keyIdentifier
                )
            },
            issuerPrivateKey: Certificate.PrivateKey(authority.key)
        )
    }

    @Test func theCertificateIsNotGoodForAnAddress() async throws {
        let authority = try LocalAuthority.make(at: Self.now)
        let issued = try authority.issue(at: Self.now)
        let isValid = await Self.isValid(issued, authority)
        #expect(isValid)
        let other = await Self.isValid(issued, try LocalAuthority.make(at: Self.now))
        #expect(!other)
        let excluded = LocalAuthority.constraints.excludedSubtrees
        #expect(excluded.count == 2)
    }

    @Test func certificatesSayWhatTheyAreFor() throws {
        let authority = try LocalAuthority.make(at: Self.now)
        let issued = try authority.issue(at: Self.now).certificate
        let own = authority.certificate.extensions
        #expect(own[oid: .X509ExtensionID.nameConstraints]?.critical == true)
        #expect(own[oid: .X509ExtensionID.basicConstraints]?.critical == true)
        #expect(try own.keyUsage == KeyUsage(keyCertSign: true, cRLSign: true))
        #expect(try issued.extensions.basicConstraints == .notCertificateAuthority)
        #expect(try issued.extensions.keyUsage == KeyUsage(digitalSignature: true))
        #expect(try issued.extensions.extendedKeyUsage == ExtendedKeyUsage([.serverAuth]))
        #expect(issued.signatureAlgorithm == .ecdsaWithSHA256)
        #expect(issued.publicKey != authority.certificate.publicKey)
        let life = issued.notValidAfter.timeIntervalSince(Self.now)
        #expect(life <= 30 * 86_400 && life > 29 * 86_400)
        #expect(issued.notValidAfter < authority.certificate.notValidAfter)
    }

    @Test func aKeptAuthorityIsReadAgain() throws {
        let made = try LocalAuthority.make(at: Self.now)
        let read = try LocalAuthority(pem: try made.pem, at: Self.now)
        #expect(read.certificate == made.certificate)
        #expect(try read.pem == made.pem)
    }

    /// Seconds from its making on, and what is wrong then.
    private static let wrongTimes: [(TimeInterval, String)] = [
        (-90_000, "is not valid yet"),
        (LocalAuthority.seconds - 60 * 86_400, "has expired"),
        (LocalAuthority.seconds + 1, "has expired"),
    ]

    @Test(arguments: wrongTimes)
    func anAuthorityHasItsTime(seconds: TimeInterval, words: String) throws {
        let pem = try LocalAuthority.make(at: Self.now).pem
        let fault = #expect(throws: LocalAuthority.Fault.self) {
            try LocalAuthority(pem: pem, at: Self.now.addingTimeInterval(seconds))
        }
        #expect(fault?.words.hasPrefix(words) == true)
    }

    @Test func damagedFilesAreRecognized() throws {
        let pem = try LocalAuthority.make(at: Self.now).pem
        let other = try LocalAuthority.make(at: Self.now)
        let texts = [
            "", "no PEM", String(pem.prefix(pem.count / 2)), try other.certificatePEM,
            P256.Signing.PrivateKey().pemRepresentation,
            pem.replacing("BEGIN CERTIFICATE", with: "BEGIN CERTIFICATF"), pem + pem,
        ]
        for text in texts {
            let fault = #expect(throws: LocalAuthority.Fault.self) {
                try LocalAuthority(pem: text, at: Self.now)
            }
            #expect(fault?.words == "is damaged")
        }
        let mismatched =
            P256.Signing.PrivateKey().pemRepresentation + "\n" + (try other.certificatePEM)
        let fault = #expect(throws: LocalAuthority.Fault.self) {
            try LocalAuthority(pem: mismatched, at: Self.now)
        }
        #expect(fault?.words == "has a key that is not its certificate's")
    }

    @Test func anAuthorityOfOtherNamesIsNotTaken() throws {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("Any") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Self.now.addingTimeInterval(-1),
            notValidAfter: Self.now.addingTimeInterval(LocalAuthority.seconds),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        let pem = try LocalAuthority(certificate: certificate, key: key).pem
        let fault = #expect(throws: LocalAuthority.Fault.self) {
            try LocalAuthority(pem: pem, at: Self.now)
        }
        #expect(fault?.words == "was made for other host names")
    }

    private static func verdict(
        _ authority: LocalAuthority,
        issuing names: [String],
        _ name: String,
        in folder: String
    ) throws -> (code: Int32, words: String) {
        try verdict(
            authority,
            try authority.issue(at: now, for: names).certificate,
            name,
            in: folder
        )
    }

    private static func verdict(
        _ authority: LocalAuthority,
        _ issued: Certificate,
        _ name: String? = nil,
        in folder: String,
        purpose: String = "sslserver"
    ) throws -> (code: Int32, words: String) {
        let (own, server) = (folder + "/ca.pem", folder + "/server.pem")
        try authority.certificatePEM.write(toFile: own, atomically: true, encoding: .utf8)
        try issued.serializeAsPEM().pemString
            .write(toFile: server, atomically: true, encoding: .utf8)
        return try OpenSSL.verify(server, authority: own, name: name, purpose: purpose)
    }

    /// What swift-certificates finds.
    private static func isValid(_ issued: ServerCertificate, _ authority: LocalAuthority) async
        -> Bool
    {
        var verifier = Verifier(rootCertificates: CertificateStore([authority.certificate])) {
            RFC5280Policy()
        }
        let result = await verifier.validate(
            leaf: issued.certificate,
            intermediates: CertificateStore()
        )
        if case .validCertificate = result { return true }
        return false
    }
}
