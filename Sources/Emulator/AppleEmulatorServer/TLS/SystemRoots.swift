import Foundation

/// The certificates that programs of this system trust, from one file.
package struct SystemRoots: Sendable {
    private static let maximumByteCount = 8 * 1024 * 1024

    /// The files on Debian and Alpine, Fedora, SUSE, then macOS and the BSDs.
    private static let usualPaths = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    let paths: [String]

    /// The system's roots; a file in `SSL_CERT_FILE` has precedence, as with OpenSSL.
    package static func usual(in environment: [String: String]) -> SystemRoots {
        SystemRoots(paths: [environment["SSL_CERT_FILE"]].compactMap(\.self) + usualPaths)
    }

    /// The certificates of the first file that has any; empty if there are none.
    func text(without ownPath: String) -> String {
        for path in paths where path != ownPath {
            guard let data = FileManager.default.contents(atPath: path),
                data.count <= Self.maximumByteCount,
                let text = String(data: data, encoding: .utf8), text.contains("-----BEGIN CERT")
            else { continue }
            return text.hasSuffix("\n") ? text : text + "\n"
        }
        return ""
    }
}
