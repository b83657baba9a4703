import AppleIdentity
import Foundation

/// Secrets in files: `NAME_FILE` is the path of a file with the value of `NAME`.
extension ConfigurationValues {
    /// The maximum size of the file of a secret, in bytes.
    package static let maximumSecretByteCount = 64 * 1024
    static let fileSuffix = "_FILE"

    /// Returns a setting, for a secret also from its file; nil when neither is set.
    ///
    /// It throws when both are set, or when the file cannot be used.
    func secret(_ name: String) throws(ConfigurationError) -> String? {
        let fileName = name + Self.fileSuffix
        guard Setting.secretNames.contains(name), let path = text(fileName)
        else { return text(name) }
        guard text(name) == nil else {
            throw ConfigurationError(
                name,
                "is set, and so is \(fileName)",
                fix: "remove \(name) or \(fileName)"
            )
        }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw ConfigurationError(
                fileName,
                "can't be read at \(path)",
                fix: "check the path, and that the server's user can read the file"
            )
        }
        defer { try? file.close() }
        let bytes = (try? file.read(upToCount: Self.maximumSecretByteCount + 1)) ?? Data()
        let value = String(validating: bytes, as: UTF8.self)?
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard let value, !value.isEmpty, bytes.count <= Self.maximumSecretByteCount else {
            throw ConfigurationError(
                fileName,
                "is empty, not text, or longer than \(Self.maximumSecretByteCount) bytes",
                fix: "use a text file that contains only the value of \(name)"
            )
        }
        return value
    }

    /// Returns the text of the `.p8` key; in `SIWA_KEY`, a line break can be the two characters `\n`.
    func keyText() throws(ConfigurationError) -> String {
        guard let text = try secret("SIWA_KEY") else {
            throw ConfigurationError(
                "SIWA_KEY_FILE",
                "is not set",
                fix: "set it to the path of the AuthKey_….p8 file downloaded from Apple, "
                    + "or set SIWA_KEY to the file's text"
            )
        }
        return keyName == "SIWA_KEY" ? text.replacing(#"\n"#, with: "\n") : text
    }

    /// The setting that contains the key.
    var keyName: String { text("SIWA_KEY") == nil ? "SIWA_KEY_FILE" : "SIWA_KEY" }
}
