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
        return identity.userID
    }

    func answer(
        _ identityToken: String,
        code: String,
        nonce: String
    ) async throws -> (status: Int, text: String) {
        do {
            let user = try await person(behind: identityToken, code: code, nonce: nonce)
            return (200, "Signed in as \(user)")
        } catch let error as SignInError {
            logger.notice("refused", metadata: ["code": "\(error.code)", "hint": "\(error.hint)"])
            return (error.httpStatus.code, error.message)
        }
    }
}
