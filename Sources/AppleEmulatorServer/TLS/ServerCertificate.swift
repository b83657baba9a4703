import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A certificate for Apple's host names, with its key, as a server presents it.
struct ServerCertificate: Sendable {
    /// What is presented.
    let certificate: Certificate
    private let presented: NIOSSLCertificate
    private let key: NIOSSLPrivateKey

    /// - Throws: when certificate or key can't be encoded.
    init(_ certificate: Certificate, key: P256.Signing.PrivateKey) throws {
        self.certificate = certificate
        presented = try NIOSSLCertificate(
            bytes: certificate.serializeAsPEM().derBytes,
            format: .der
        )
        self.key = try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)
    }

    /// A server's settings with this certificate, HTTP/1.1 as the one protocol.
    var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(presented)],
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }

    /// What replaces the certificate of a server's settings in one handshake.
    var replacement: NIOSSLContextConfigurationOverride {
        var replacement = NIOSSLContextConfigurationOverride()
        replacement.certificateChain = [.certificate(presented)]
        replacement.privateKey = .privateKey(key)
        return replacement
    }
}
