import Foundation

/// Reads the parts of a token.
enum Base64URLText {
    static func decode(_ text: some StringProtocol) -> Data? {
        let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
        return Data(base64Encoded: plain + padding)
    }
}
