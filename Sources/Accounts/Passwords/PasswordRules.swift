import Foundation

/// What a password has to be before it is hashed.
///
/// Source: [NIST SP 800-63B, section 3.1.1.2](https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver)
package enum PasswordRules {
    /// Unicode scalars that a password may have, in NFC.
    package static let scalarCounts = 8...128
    /// Bytes beyond which a password is not even brought into NFC.
    static let maximumByteCount = 4 * 1024

    /// Checks a new password.
    static func checked(
        _ password: String,
        in context: PasswordContext
    ) throws(AccountsError) -> String {
        guard let text = normalized(password), text.unicodeScalars.count <= scalarCounts.upperBound
        else {
            throw AccountsError(
                .passwordTooLong,
                parameters: ["maximum": "\(scalarCounts.upperBound)"],
                hint: "the password is longer than the maximum"
            )
        }
        guard text.unicodeScalars.count >= scalarCounts.lowerBound else {
            throw AccountsError(
                .passwordTooShort,
                parameters: ["minimum": "\(scalarCounts.lowerBound)"],
                hint: "the password is shorter than the minimum"
            )
        }
        try checkGuess(text, in: context)
        return text
    }

    /// Refuses what is tried first.
    private static func checkGuess(
        _ text: String,
        in context: PasswordContext
    ) throws(AccountsError) {
        guard !commonPasswords.contains(text.lowercased()) else {
            throw AccountsError(
                .passwordTooCommon,
                hint: "the password is one of the ten thousand most common"
            )
        }
        guard !context.isUsername(text) else {
            throw AccountsError(.passwordIsUsername, hint: "the password is the username")
        }
        guard !context.contains(text) else {
            throw AccountsError(
                .passwordTooObvious,
                hint: "the password is the user's name or email address, or the app's name"
            )
        }
    }

    /// A password in the form that is hashed; nil when no account can have it.
    static func normalized(_ password: String) -> String? {
        guard password.utf8.count <= maximumByteCount else { return nil }
        return password.precomposedStringWithCanonicalMapping
    }

    /// Those of the ten thousand commonest that are long enough to be chosen at all.
    ///
    /// The first ten thousand of the list that Royce Williams made of Have I Been Pwned's passwords, as Django
    /// ships it.
    ///
    /// Source: [the list](https://gist.github.com/roycewilliams/226886fd01572964e1431ac8afc999ce)
    private static let commonPasswords: Set<String> = Set(
        String(decoding: PackageResources.common_passwords_txt, as: UTF8.self)
            .split(separator: "\n")
            .map(String.init)
    )
}
