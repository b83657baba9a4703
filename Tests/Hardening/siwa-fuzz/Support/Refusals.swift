import AppleIdentity
import Foundation
import SignInWithApple

/// What every refusal promises.
enum Refusals {
    /// The longest hint, in bytes: a few sentences and excerpts of 80 characters.
    static let maximumHintByteCount = 4096

    private static let codes = Set(SignInError.Code.all)

    /// A known code, its public sentence, and a hint on one line.
    static func check(_ error: SignInError) {
        promise(codes.contains(error.code), "\(error.code) is no known code")
        promise(!error.message.isEmpty, "\(error.code) has no sentence")
        promise(!error.hint.isEmpty, "\(error.code) has no hint")
        promise(error.hint.utf8.count <= maximumHintByteCount, "the hint has no end")
        promise(
            error.hint.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control },
            "the hint has control characters: \(error.hint)"
        )
    }

    /// Verifying throws nothing else, because it is never cancelled here.
    static func signInError(_ error: any Error) -> SignInError {
        promise(error is SignInError, "another error: \(type(of: error))")
        return error as? SignInError ?? SignInError(.configurationInvalid, hint: "another error")
    }

    /// Two attempts at the same thing end alike.
    static func checkSame<Success: Equatable>(
        _ first: Result<Success, SignInError>,
        _ second: Result<Success, SignInError>
    ) {
        switch (first, second) {
        case (.success(let first), .success(let second)):
            promise(first == second, "two readings differ")
        case (.failure(let first), .failure(let second)):
            promise(first.code == second.code, "\(first.code), then \(second.code)")
        default: promise(false, "accepted once, refused once")
        }
    }
}
