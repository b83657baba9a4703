import AppleIdentity
import Crypto
import Foundation
import NIOCore
import NIOSSL
import SwiftASN1
import Synchronization
import X509

/// Provides a valid certificate, even to servers that run longer than one is valid.
final class CertificateStore: Sendable {
    private let authority: LocalAuthority
    private let time: TimeSource
    private let issued: Mutex<ServerCertificate>

    init(authority: LocalAuthority, time: TimeSource) throws {
        self.authority = authority
        self.time = time
        issued = Mutex(try authority.issue(at: time.now))
    }

    /// The server's settings; each handshake gets a certificate that is valid then.
    var configuration: TLSConfiguration {
        get throws {
            var configuration = try current().configuration
            configuration.sslContextCallback = { [self] _, promise in
                promise.completeWith(Result { try current().replacement })
            }
            return configuration
        }
    }

    /// The certificate, replaced after half of its validity.
    func current() throws -> ServerCertificate {
        try issued.withLock { issued in
            let now = time.now
            let rest = issued.certificate.notValidAfter.timeIntervalSince(now)
            let isFresh = rest > LocalAuthority.certificateSeconds / 2
            if !isFresh || issued.certificate.notValidBefore > now {
                issued = try authority.issue(at: now)
            }
            return issued
        }
    }
}

/// A certificate with its key, as a server presents it.
struct ServerCertificate: Sendable {
    let certificate: Certificate
    private let presented: NIOSSLCertificate
    private let key: NIOSSLPrivateKey

    init(_ certificate: Certificate, key: P256.Signing.PrivateKey) throws {
        self.certificate = certificate
        presented = try NIOSSLCertificate(
            bytes: certificate.serializeAsPEM().derBytes,
            format: .der
        )
        self.key = try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)
    }

    /// A server's settings with this certificate, for HTTP/1.1 only.
    var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(presented)],
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }

    /// The override of the settings' certificate for one handshake.
    var replacement: NIOSSLContextConfigurationOverride {
        var replacement = NIOSSLContextConfigurationOverride()
        replacement.certificateChain = [.certificate(presented)]
        replacement.privateKey = .privateKey(key)
        return replacement
    }
}
