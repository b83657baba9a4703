import Crypto
import Foundation
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import AppleEmulatorServer

// Fidelity: registration-22
@Suite struct LocalAuthorityTests {
    private let temporary: TemporaryPath
    private var folder: String { temporary.text }

    init() throws { temporary = try TemporaryPath(isMade: true) }

    /// Certificates know whole seconds only.
    private static let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())

    @Test(arguments: LocalAuthority.names)
    func opensslAcceptsTheCertificateForEachHost(name: String) throws {
        let authority = try LocalAuthority.make(at: Self.now)
        let verdict = try Self.verdict(authority, issuing: LocalAuthority.names, name, in: folder)
        #expect(verdict.code == 0, "\(verdict.words)")
    }

    @Test(arguments: [
        "www.apple.com", "apple.com", "example.com", "local", "evilappleid.apple.com",
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
        let issuer = SubjectKeyIdentifier(hash: authority.certificate.publicKey).keyIdentifier
        let extensions = try Certificate.Extensions {
            SubjectAlternativeNames(names)
            AuthorityKeyIdentifier(keyIdentifier: issuer)
        }
        return try certificate(by: authority.key, issuer: authority.certificate.subject, extensions)
    }

    private static func certificate(
        of key: P256.Signing.PrivateKey = P256.Signing.PrivateKey(),
        by issuerKey: P256.Signing.PrivateKey,
        issuer: DistinguishedName,
        life: TimeInterval = 86_400,
        _ extensions: Certificate.Extensions
    ) throws -> Certificate {
        try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now.addingTimeInterval(-1),
            notValidAfter: now.addingTimeInterval(life),
            issuer: issuer,
            subject: DistinguishedName { CommonName("Any") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(issuerKey)
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
    @Test(
        arguments: [
            (-90_000, "is not valid yet"), (LocalAuthority.seconds - 60 * 86_400, "has expired"),
            (LocalAuthority.seconds + 1, "has expired"),
        ] as [(TimeInterval, String)]
    )
    func anAuthorityHasItsTime(seconds: TimeInterval, words: String) throws {
        let pem = try LocalAuthority.make(at: Self.now).pem
        try Self.expectFault(pem, at: Self.now.addingTimeInterval(seconds)) { $0.hasPrefix(words) }
    }

    private static func expectFault(
        _ pem: String,
        at time: Date = now,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ isRight: (String) -> Bool
    ) throws {
        let fault = #expect(throws: LocalAuthority.Fault.self, sourceLocation: sourceLocation) {
            try LocalAuthority(pem: pem, at: time)
        }
        #expect(
            isRight(fault?.words ?? ""),
            "\(fault?.words ?? "")",
            sourceLocation: sourceLocation
        )
    }

    @Test func damagedFilesAreRecognized() throws {
        let pem = try LocalAuthority.make(at: Self.now).pem
        let other = try LocalAuthority.make(at: Self.now)
        let texts = [
            "", "no PEM", String(pem.prefix(pem.count / 2)), try other.certificatePEM,
            P256.Signing.PrivateKey().pemRepresentation,
            pem.replacing("BEGIN CERTIFICATE", with: "BEGIN CERTIFICATF"), pem + pem,
        ]
        for text in texts { try Self.expectFault(text) { $0 == "is damaged" } }
        let mismatched =
            P256.Signing.PrivateKey().pemRepresentation + "\n" + (try other.certificatePEM)
        try Self.expectFault(mismatched) { $0 == "has a key that does not match its certificate" }
    }

    @Test func anAuthorityOfOtherNamesIsNotTaken() throws {
        let key = P256.Signing.PrivateKey()
        let certificate = try Self.certificate(
            of: key,
            by: key,
            issuer: DistinguishedName { CommonName("Any") },
            life: LocalAuthority.seconds,
            Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            }
        )
        let pem = try LocalAuthority(certificate: certificate, key: key).pem
        try Self.expectFault(pem) { $0 == "was made for other host names" }
    }

    private static func verdict(
        _ authority: LocalAuthority,
        issuing names: [String],
        _ name: String,
        in folder: String
    ) throws -> (code: Int32, words: String) {
        let issued = try authority.issue(at: now, for: names).certificate
        return try verdict(authority, issued, name, in: folder)
    }

    /// What the system's `openssl` says, which shares no code with this package, by the strictest reading.
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
        var arguments = [
            "verify", "-x509_strict", "-check_ss_sig", "-purpose", purpose,
            "-no-CApath", "-no-CAstore", "-CAfile", own,
        ]
        if let name { arguments += ["-verify_hostname", name] }
        return try runProgram("openssl", arguments + [server])
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
