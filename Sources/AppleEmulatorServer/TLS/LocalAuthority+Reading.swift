import Crypto
import Foundation
import SwiftASN1
import X509

extension LocalAuthority {
    /// Why a kept authority serves no longer.
    struct Fault: Error, Hashable {
        /// What is wrong, as the end of a sentence.
        let words: String
    }

    /// How long before its end an authority is replaced, in seconds, so that no server's
    /// certificate outlives it.
    static let renewalSeconds = 2 * certificateSeconds

    /// Reads an authority's file and checks that it is still good.
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
            throw Fault(words: "has a key that is not its certificate's")
        }
        return LocalAuthority(certificate: certificate, key: key)
    }
}
