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
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "verify", "-x509_strict", "-check_ss_sig", "-purpose", purpose,
            "-no-CApath", "-no-CAstore", "-CAfile", authority,
        ]
        if let name { process.arguments?.append(contentsOf: ["-verify_hostname", name]) }
        process.arguments?.append(certificate)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let words = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: words, as: UTF8.self))
    }
}
