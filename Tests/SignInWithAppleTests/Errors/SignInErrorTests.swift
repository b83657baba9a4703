import SignInWithApple
import Testing

@Suite struct SignInErrorTests {
    @Test func hintIsForDevelopersOnly() {
        let error = SignInError(.configurationInvalid, hint: "there is no key")
        #expect("\(error)" == "configuration_invalid: Sign in with Apple is not set up for this.")
        #expect(String(reflecting: error).hasSuffix("for this. (there is no key)"))
    }
}
