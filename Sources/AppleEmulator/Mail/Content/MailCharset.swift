import Foundation

/// The alphabets that mail is written in.
enum MailCharset {
    private static let encodings: [String: String.Encoding] = [
        "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "iso-8859-2": .isoLatin2,
        "windows-1252": .windowsCP1252, "windows-1250": .windowsCP1250,
        "windows-1251": .windowsCP1251, "utf-16": .utf16, "shift_jis": .shiftJIS,
        "iso-2022-jp": .iso2022JP, "euc-jp": .japaneseEUC,
    ]

    /// Reads bytes; those that are not of the alphabet named are taken for UTF-8.
    static func text(_ bytes: Data, _ name: String?) -> String {
        guard let encoding = name.flatMap({ encodings[$0.lowercased()] }),
            let text = String(data: bytes, encoding: encoding)
        else { return String(decoding: bytes, as: UTF8.self) }
        return text
    }
}
