import SignInWithApple
import Testing

extension AppleSignIn {
    @discardableResult
    func verify(_ token: String) async throws -> VerifiedIdentity {
        try await verify(token, expecting: .init(nonce: .absent))
    }
}

/// Expects a refusal with this code, and returns it for a look at its words.
@discardableResult
func expectRefusal<Value>(
    _ code: SignInError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async -> SignInError? {
    do {
        let value = try await body()
        Issue.record("expected \(code), got \(value)", sourceLocation: sourceLocation)
        return nil
    } catch let error as SignInError {
        #expect(error.code == code, "\(error.hint)", sourceLocation: sourceLocation)
        #expect(!error.message.isEmpty, sourceLocation: sourceLocation)
        #expect(!error.hint.isEmpty, sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record("expected \(code), got \(error)", sourceLocation: sourceLocation)
        return nil
    }
}
