import Foundation

extension AppleTransport {
    /// A transport that always fails, because each fuzz target has its own.
    public static func live() -> AppleTransport {
        AppleTransport { _, _ in
            throw SignInError(.appleUnavailable, hint: "this build has no network transport")
        }
    }
}
