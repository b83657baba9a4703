import Crypto
import Foundation
import SwiftASN1
import X509

/// The certificate authority of one machine, limited to Apple's host names and `localhost`.
///
/// Its name constraints are critical: a client that trusts it trusts only an emulated Apple.
/// Source: [RFC 5280, section 4.2.1.10](https://www.rfc-editor.org/rfc/rfc5280#section-4.2.1.10)
package struct LocalAuthority: Sendable {
    /// The validity of the authority, in seconds: ten years.
    static let seconds: TimeInterval = 10 * 365 * 86_400
    /// The validity of a server's certificate, in seconds: thirty days.
    static let certificateSeconds: TimeInterval = 30 * 86_400
    /// The seconds by which a client's clock may be behind: a day.
    static let clockSkewSeconds: TimeInterval = 86_400

    /// The names of a server: Apple's for its HTTP port, and the machine's own for the mail relay.
    static let names = AppleHosts.names + ["localhost"]

    package let certificate: Certificate
    let key: P256.Signing.PrivateKey

    static func make(at now: Date) throws -> LocalAuthority {
        let key = P256.Signing.PrivateKey()
        let day = now.formatted(.iso8601.year().month().day())
        let name = try DistinguishedName {
            OrganizationName("siwa")
            CommonName("Emulated Apple of this machine, made \(day)")
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now.addingTimeInterval(-clockSkewSeconds),
            notValidAfter: now.addingTimeInterval(seconds),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions(of: key.publicKey),
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        return LocalAuthority(certificate: certificate, key: key)
    }

    /// Creates a certificate for these names, with a new key.
    func issue(at now: Date, for names: [String] = Self.names) throws -> ServerCertificate {
        let key = P256.Signing.PrivateKey()
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now.addingTimeInterval(-Self.clockSkewSeconds),
            notValidAfter: now.addingTimeInterval(Self.certificateSeconds),
            issuer: certificate.subject,
            subject: DistinguishedName { CommonName(names.first ?? "") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions(ofServerKey: key.publicKey, names: names),
            issuerPrivateKey: Certificate.PrivateKey(self.key)
        )
        return try ServerCertificate(certificate, key: key)
    }

    /// The key and the certificate, for the authority's file.
    var pem: String { get throws { key.pemRepresentation + "\n" + (try certificatePEM) } }

    package var certificatePEM: String {
        get throws { try certificate.serializeAsPEM().pemString + "\n" }
    }

    /// The names that the authority may certify: no IP address, and no real URI.
    ///
    /// URIs are permitted for a reserved host only, because OpenSSL can't exclude them all. The key
    /// usage excludes email, because swift-certificates can't check a constraint for it.
    static let constraints = NameConstraints(
        permittedDNSDomains: names,
        // All IPv4 and IPv6 addresses: an address and a mask of zeros.
        excludedIPRanges: [
            ASN1OctetString(contentBytes: ArraySlice(repeating: 0, count: 8)),
            ASN1OctetString(contentBytes: ArraySlice(repeating: 0, count: 32)),
        ],
        // A reserved name: https://www.rfc-editor.org/rfc/rfc6761#section-6.4
        permittedURIDomains: ["siwa.invalid"]
    )

    private static func extensions(
        of key: P256.Signing.PublicKey
    ) throws -> Certificate.Extensions {
        let identifier = SubjectKeyIdentifier(hash: Certificate.PublicKey(key))
        return try Certificate.Extensions {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            try ExtendedKeyUsage([.serverAuth])
            Critical(constraints)
            identifier
            AuthorityKeyIdentifier(keyIdentifier: identifier.keyIdentifier)
        }
    }

    private func extensions(
        ofServerKey key: P256.Signing.PublicKey,
        names: [String]
    ) throws -> Certificate.Extensions {
        let authority = SubjectKeyIdentifier(hash: certificate.publicKey)
        return try Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            try ExtendedKeyUsage([.serverAuth])
            SubjectAlternativeNames(names.map { .dnsName($0) })
            SubjectKeyIdentifier(hash: Certificate.PublicKey(key))
            AuthorityKeyIdentifier(keyIdentifier: authority.keyIdentifier)
        }
    }
}

extension LocalAuthority {
    /// The reason why a stored authority can no longer be used.
    struct Fault: Error, Hashable {
        /// The reason, as the end of a sentence.
        let words: String
    }

    /// The seconds before its expiry at which an authority is replaced: no server's certificate
    /// may outlive it.
    static let renewalSeconds = 2 * certificateSeconds

    /// Reads an authority's file and checks that it is still valid.
    init(pem: String, at now: Date) throws(Fault) {
        self = try Self.parsed(pem)
        let extensions = certificate.extensions
        guard (try? extensions.nameConstraints) == Self.constraints,
            (try? extensions.basicConstraints) == .isCertificateAuthority(maxPathLength: 0)
        else { throw Fault(words: "was made for other host names") }
        guard certificate.notValidBefore <= now else { throw Fault(words: "is not valid yet") }
        guard certificate.notValidAfter > now.addingTimeInterval(Self.renewalSeconds) else {
            throw Fault(words: "has expired or is about to")
        }
    }

    private static func parsed(_ pem: String) throws(Fault) -> LocalAuthority {
        let documents = (try? PEMDocument.parseMultiple(pemString: pem)) ?? []
        guard documents.map(\.discriminator) == ["PRIVATE KEY", "CERTIFICATE"],
            let key = try? P256.Signing.PrivateKey(derRepresentation: documents[0].derBytes),
            let certificate = try? Certificate(pemDocument: documents[1])
        else { throw Fault(words: "is damaged") }
        guard certificate.publicKey == Certificate.PublicKey(key.publicKey) else {
            throw Fault(words: "has a key that does not match its certificate")
        }
        return LocalAuthority(certificate: certificate, key: key)
    }
}
