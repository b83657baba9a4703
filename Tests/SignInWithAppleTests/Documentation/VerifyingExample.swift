import Logging
import SignInWithApple

/// The code of the article about verifying; the tidy tests compare the two.
struct VerifyingExample {
    let apple: AppleSignIn
    let logger: Logger

    static func makeApple() -> AppleSignIn {
        let apple = AppleSignIn(configuration: .init(appIDs: ["com.example.juice"]))
        return apple
    }

    func person(behind identityToken: String, code: String, nonce: String) async throws -> UserID {
        let identity = try await apple.verify(
            identityToken,
            expecting: .init(nonce: .sha256(nonce), authorizationCode: code)
        )
        return identity.user
    }

    func answer(to error: SignInError) -> (status: Int, sentence: String) {
        logger.notice("refused", metadata: ["code": "\(error.code)", "hint": "\(error.hint)"])
        return (error.isRetryable ? 503 : 401, error.message)
    }
}
