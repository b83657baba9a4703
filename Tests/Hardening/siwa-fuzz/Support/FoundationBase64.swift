import Foundation

/// Base64url by way of Foundation's Base64, for comparison.
enum FoundationBase64 {
    static func decode(_ text: String) -> Data? {
        let standard = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: standard + padding)
    }
}
