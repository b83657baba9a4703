import AppleIdentity
import Foundation

enum MailTransferEncoding {
    static func decoded(_ body: Data, _ name: String?) -> Data {
        switch name.map({ MailContentType($0).value }) {
        case "base64": base64(body)
        case "quoted-printable": quotedPrintable(body)
        default: body
        }
    }

    /// RFC 2045, section 6.8: bytes outside the alphabet are ignored, and padding is the end.
    ///
    /// Missing padding is added. https://www.rfc-editor.org/rfc/rfc2045#section-6.8
    static func base64(_ body: Data) -> Data {
        var digits = body.prefix { $0 != UInt8(ascii: "=") }.filter(isBase64)
        // A single digit encodes no byte.
        if digits.count % 4 == 1 { digits.removeLast() }
        while digits.count % 4 != 0 { digits.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(digits)) ?? body
    }

    static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }

    /// RFC 2045, section 6.7: `=` and two digits encode a byte; `=` before a line end removes it.
    /// https://www.rfc-editor.org/rfc/rfc2045#section-6.7
    static func quotedPrintable(_ body: Data) -> Data {
        let bytes = Array(body)
        var result = Data(capacity: bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "=") else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0x0A
            let second = index + 2 < bytes.count ? bytes[index + 2] : 0x0A
            if let high = FormCoding.hexadecimalValue(next),
                let low = FormCoding.hexadecimalValue(second)
            {
                result.append(high << 4 | low)
                index += 3
            } else if next == 0x0A {
                index += 2
            } else if next == 0x0D, second == 0x0A {
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}

/// The character sets of mail.
enum MailCharset {
    private static let encodings: [String: String.Encoding] = [
        "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "iso-8859-2": .isoLatin2,
        "windows-1252": .windowsCP1252, "windows-1250": .windowsCP1250,
        "windows-1251": .windowsCP1251, "utf-16": .utf16, "shift_jis": .shiftJIS,
        "iso-2022-jp": .iso2022JP, "euc-jp": .japaneseEUC,
    ]

    /// Decodes bytes; if they do not match the named character set, as UTF-8.
    static func text(_ bytes: Data, _ name: String?) -> String {
        guard let encoding = name.flatMap({ encodings[$0.lowercased()] }),
            let text = String(data: bytes, encoding: encoding)
        else { return String(decoding: bytes, as: UTF8.self) }
        return text
    }
}
