import Crypto
import Foundation

/// Reads `.p8` files, and explains the errors of a file.
package enum PrivateKeyFile {
    /// The bytes of the DER object identifiers that name the type of a key in PKCS #8.
    private enum ObjectIdentifier {
        static let ellipticCurve: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
        static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        static let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    }

    package static func read(_ text: String) throws(SignInError) -> P256.Signing.PrivateKey {
        guard text.utf8.count <= ClientSecretKey.maximumByteCount else {
            throw .unusableKey("the file is longer than any private key; it must be Apple's .p8")
        }
        let pem = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !pem.isEmpty else { throw .unusableKey("the file is empty") }
        try checkLabel(of: pem)
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else {
            throw unreadable(pem)
        }
        return key
    }

    private static func checkLabel(of pem: String) throws(SignInError) {
        guard let label = label(of: pem) else { throw notPEM(pem) }
        switch label {
        case "PRIVATE KEY": return
        case "EC PRIVATE KEY", "EC PARAMETERS":
            throw .unusableKey(
                "it is in the SEC 1 form (\(label)); Apple's file is PKCS #8: use it as downloaded, "
                    + "or convert with openssl pkcs8 -topk8 -nocrypt"
            )
        case "ENCRYPTED PRIVATE KEY":
            throw .unusableKey("it is encrypted with a passphrase; decrypt it with openssl pkcs8")
        case "PUBLIC KEY":
            throw .unusableKey(
                "it is a public key; the file must be the private key, Apple's .p8"
            )
        case "RSA PRIVATE KEY":
            throw .unusableKey("it is an RSA key; Apple's keys are on the curve P-256")
        case "CERTIFICATE":
            throw .unusableKey(
                "it is a certificate; the file must be the private key, Apple's .p8"
            )
        default:
            throw .unusableKey("its PEM label is not PRIVATE KEY; the file must be Apple's .p8")
        }
    }

    private static func label(of pem: String) -> String? {
        guard let begin = pem.firstRange(of: "-----BEGIN "),
            let end = pem[begin.upperBound...].firstRange(of: "-----")
        else { return nil }
        return String(pem[begin.upperBound..<end.lowerBound])
    }

    private static func notPEM(_ text: String) -> SignInError {
        if let decoded = Data(base64Encoded: text, options: .ignoreUnknownCharacters) {
            if decoded.starts(with: Data("-----BEGIN".utf8)) {
                return .unusableKey(
                    "it is the .p8 file encoded in Base64 again; decode it first"
                )
            }
            if decoded.firstRange(of: ObjectIdentifier.ellipticCurve) != nil {
                return .unusableKey(
                    "it is not PEM: the lines -----BEGIN PRIVATE KEY----- and "
                        + "-----END PRIVATE KEY----- are missing around it"
                )
            }
        }
        return .unusableKey("it is not PEM: the line -----BEGIN PRIVATE KEY----- is missing")
    }

    private static func unreadable(_ pem: String) -> SignInError {
        if pem.hasPrefix("\"") || pem.hasPrefix("'") {
            return .unusableKey("it is in quotation marks; remove them")
        }
        if pem.contains(#"\n"#) {
            return .unusableKey(
                #"its line breaks are the two characters \n; replace them with real line breaks"#
            )
        }
        guard pem.contains("-----END PRIVATE KEY-----") else {
            return .unusableKey("it is cut off: the line -----END PRIVATE KEY----- is missing")
        }
        guard pem.contains(where: \.isNewline) else {
            return .unusableKey(
                "it is one line: its line breaks are spaces or missing; write real line breaks"
            )
        }
        let lines = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        guard let der = Data(base64Encoded: lines.joined())
        else {
            return .unusableKey("it is damaged: the text between the PEM lines is not Base64")
        }
        if der.firstRange(of: ObjectIdentifier.rsa) != nil {
            return .unusableKey("it is an RSA key; Apple's keys are on the curve P-256")
        }
        let isElliptic = der.firstRange(of: ObjectIdentifier.ellipticCurve) != nil
        if isElliptic, der.firstRange(of: ObjectIdentifier.p256) == nil {
            return .unusableKey("it is on another curve; Apple's keys are on the curve P-256")
        }
        return .unusableKey(
            isElliptic
                ? "it is damaged: it does not decode to a key on P-256"
                : "it is another type of key; Apple's keys are on the curve P-256"
        )
    }
}
