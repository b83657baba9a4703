/// Removes tokens from strings that are stored or shown.
///
/// A client that swaps two parameters, or puts one into the path, sends a secret as a name.
enum Redaction {
    static let mark = "[redacted]"
    /// The minimum size of a JWT header in base64url, in bytes; the shortest header has 20.
    private static let jwtByteCountMin = 16
    private static let hexadecimalDigitCount = 32

    /// The string without JWTs and without Apple's codes and tokens.
    static func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var redacted: [UInt8] = []
        redacted.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let end = endOfSecret(bytes[index...]) {
                redacted += mark.utf8
                index = end
            } else {
                redacted.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: redacted, as: UTF8.self)
    }

    private static func endOfSecret(_ bytes: ArraySlice<UInt8>) -> Int? {
        switch bytes.first {
        case UInt8(ascii: "e"): endOfJWT(bytes)
        case UInt8(ascii: "a"), UInt8(ascii: "c"), UInt8(ascii: "r"): endOfAppleToken(bytes)
        default: nil
        }
    }

    /// A JWT begins with `{"`, or `{` and white space, in base64url.
    private static func endOfJWT(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= jwtByteCountMin, bytes[bytes.startIndex + 1] == UInt8(ascii: "y"),
            "AIJ".utf8.contains(bytes[bytes.startIndex + 2]),
            bytes.prefix(jwtByteCountMin).allSatisfy({ isTokenByte($0) && !isSeparator($0) })
        else { return nil }
        return bytes.firstIndex { !isTokenByte($0) } ?? bytes.endIndex
    }

    /// Apple's codes and tokens are a letter and 32 hexadecimal digits, then parts after dots.
    private static func endOfAppleToken(_ bytes: ArraySlice<UInt8>) -> Int? {
        let digits = bytes.dropFirst().prefix(hexadecimalDigitCount)
        guard digits.count == hexadecimalDigitCount, digits.allSatisfy(isHexadecimalDigit) else {
            return nil
        }
        return bytes[digits.endIndex...].firstIndex { !isTokenByte($0) } ?? bytes.endIndex
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%")
    }

    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }

    /// Base64url, the dots between the parts, and the percent sign of an encoded dot.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}
