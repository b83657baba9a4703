import AppleIdentity
import Foundation
import NIOCore
import NIOSSL
import Synchronization
import X509

/// Has the certificate of the day, for servers that run longer than one is good for.
final class CertificateStore: Sendable {
    private let authority: LocalAuthority
    private let time: TimeSource
    private let kept: Mutex<ServerCertificate>

    /// Makes the first certificate.
    ///
    /// - Throws: when it can't be made.
    init(authority: LocalAuthority, time: TimeSource) throws {
        self.authority = authority
        self.time = time
        kept = Mutex(try authority.issue(at: time.now))
    }

    /// The settings of the server, each handshake of which gets the certificate of its day.
    var configuration: TLSConfiguration {
        get throws {
            var configuration = try current().configuration
            configuration.sslContextCallback = { [self] _, promise in
                promise.completeWith(Result { try current().replacement })
            }
            return configuration
        }
    }

    /// The certificate, made anew after half of its time.
    func current() throws -> ServerCertificate {
        try kept.withLock { kept in
            let now = time.now
            let rest = kept.certificate.notValidAfter.timeIntervalSince(now)
            let isFresh = rest > LocalAuthority.certificateSeconds / 2
            if !isFresh || kept.certificate.notValidBefore > now {
                kept = try authority.issue(at: now)
            }
            return kept
        }
    }
}
