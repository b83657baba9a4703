import Foundation

/// The rules for new passwords.
///
/// Source: [NIST SP 800-63B, section 3.1.1.2](https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver)
package enum PasswordRules {
    /// The allowed length of a password, in Unicode scalars in NFC.
    package static let scalarCounts = 8...128
    /// The length in bytes beyond which a password is refused without normalization.
    static let maximumByteCount = 4 * 1024

    /// Returns a new password in NFC; throws a `password_…` error when it breaks a rule.
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

    /// Refuses passwords that are guessed first.
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

    /// A password in the form that is hashed; nil when it is too long for any account.
    static func normalized(_ password: String) -> String? {
        guard password.utf8.count <= maximumByteCount else { return nil }
        return password.precomposedStringWithCanonicalMapping
    }

    /// Those of the ten thousand most common passwords that are long enough to be chosen.
    ///
    /// They are the first ten thousand of the list that Royce Williams made from Have I Been Pwned, as Django ships it.
    ///
    /// Source: [the list](https://gist.github.com/roycewilliams/226886fd01572964e1431ac8afc999ce)
    private static let commonPasswords: Set<String> = Set(
        String(decoding: PackageResources.common_passwords_txt, as: UTF8.self)
            .split(separator: "\n")
            .map(String.init)
    )
}
