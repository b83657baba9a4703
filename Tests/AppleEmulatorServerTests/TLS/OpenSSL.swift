import Foundation
import TestSupport
import Testing

/// The system's `openssl`, a judge of certificates that shares no code with this package.
enum OpenSSL {
    /// Whether a certificate for a name is good under an authority, by the strictest reading.
    ///
    /// - Returns: the exit code and all that was said.
    static func verify(
        _ certificate: String,
        authority: String,
        name: String?,
        purpose: String = "sslserver"
    ) throws -> (code: Int32, words: String) {
        var arguments = [
            "verify", "-x509_strict", "-check_ss_sig", "-purpose", purpose,
            "-no-CApath", "-no-CAstore", "-CAfile", authority,
        ]
        if let name { arguments += ["-verify_hostname", name] }
        return try runProgram("openssl", arguments + [certificate])
    }
}
