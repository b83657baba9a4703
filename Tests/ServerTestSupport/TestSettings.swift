import Crypto
import Foundation

@testable import Accounts

/// Settings of an accounts server of a test.
package enum TestSettings {
    /// The server's address.
    package static let publicURL = "https://juice.example.com"

    /// Settings that a server starts with; the key file is written into the folder.
    ///
    /// - Parameter folder: where the key file is written.
    /// - Returns: the settings.
    /// - Throws: when the file can't be written.
    package static func values(in folder: URL) throws -> [String: String] {
        let keyFile = folder.appending(path: "AuthKey_ABC123DEFG.p8")
        try P256.Signing.PrivateKey().pemRepresentation
            .write(to: keyFile, atomically: true, encoding: .utf8)
        return [
            "SIWA_TEAM_ID": "DEF123GHIJ",
            "SIWA_KEY_ID": "ABC123DEFG",
            "SIWA_KEY_FILE": keyFile.path(),
            "SIWA_CLIENT_IDS": "com.example.juice",
            "SIWA_SERVICES_ID": "com.example.juice.web",
            "SIWA_PUBLIC_URL": publicURL,
            "SIWA_SEALING_KEYS": "k1:" + Data(repeating: 7, count: 32).base64EncodedString(),
        ]
    }
}

extension PasswordCost {
    /// Takes no time, and protects nothing.
    package static let free = PasswordCost(logarithmOfRounds: 2, blockSize: 1, parallelism: 1)
}
