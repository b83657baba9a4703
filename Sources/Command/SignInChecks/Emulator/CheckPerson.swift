import AppleIdentity
import Foundation

/// A user with an Apple Account, created for one run.
struct CheckPerson: Hashable, Sendable {
    let email: String
    let givenName: String
    let familyName: String
    var isVerified = true

    /// Creates a user with random names, which no page contains by coincidence.
    init(_ role: String, isVerified: Bool = true) {
        let label = Self.letters(8)
        email = "siwa-check-\(role)-\(label)@example.com"
        givenName = "G" + Self.letters(8)
        familyName = "F" + Self.letters(8)
        self.isVerified = isVerified
    }

    var object: JSONObject {
        [
            "email": .string(email), "given_name": .string(givenName),
            "family_name": .string(familyName), "email_verified": .boolean(isVerified),
            "two_factor": false,
        ]
    }

    static func letters(_ count: Int) -> String {
        String((0..<count).compactMap { _ in "bcdfghjklmnpqrstvwxz".randomElement() })
    }
}
