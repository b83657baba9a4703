import Logging
import SignInWithApple
import Testing

@Suite struct SignInErrorTests {
    @Test func hintIsForDevelopersOnly() {
        let error = SignInError(.configurationInvalid, hint: "there is no key")
        #expect(
            "\(error)"
                == "configuration_invalid: Sign in with Apple is not configured correctly."
        )
        #expect(String(reflecting: error).hasSuffix("correctly. (there is no key)"))
    }

    @Test func aJunkTokenIsNoTroubleOfTheServer() {
        let junk = SignInError.Code.tokenKeyNotPublished.rawValue
        #expect(SignInError.logLevel(ofStatus: 503, code: junk) == .notice)
        let trouble = SignInError.Code.appleKeysUnavailable.rawValue
        #expect(SignInError.logLevel(ofStatus: 503, code: trouble) == .error)
        #expect(SignInError.logLevel(ofStatus: 401, code: "token_expired") == .notice)
    }
}
