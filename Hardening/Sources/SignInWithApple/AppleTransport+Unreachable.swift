import Foundation

extension AppleTransport {
    /// Reaches nobody: what is fuzzed brings a transport of its own.
    public static func live() -> AppleTransport {
        AppleTransport { _, _ in
            throw SignInError(.appleUnavailable, hint: "this build reaches nobody")
        }
    }
}
