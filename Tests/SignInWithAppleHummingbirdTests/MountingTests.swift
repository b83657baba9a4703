import AppleEmulatorTesting
import AppleIdentity
import Hummingbird
import SignInWithApple
import SignInWithAppleHummingbird
import Testing

@Suite("Adding the routes") struct MountingTests {
    @Test(
        "An address where Apple's answer could never arrive is refused at the start",
        arguments: [
            "http://juice.example.com/auth/apple/callback", "https://juice.example.com/callback",
            "https://juice.example.com/auth/apple/callback?a=b", "/auth/apple/callback", "",
        ]
    )
    func address(_ redirectURI: String) async throws {
        try await withAppleEmulator { apple in
            let flow = WebFlow(
                servicesID: "com.example.juice.web",
                redirectURI: redirectURI,
                sealer: try TokenSealer(keys: HelloWorld.sealingKeys)
            )
            let signIn = try apple.signIn()
            let error = #expect(throws: SignInError.self) {
                try Router().signInWithApple(signIn, web: flow) { _, _ in
                    .session(SignInSession())
                }
            }
            #expect(error?.code == .configurationInvalid)
        }
    }

    @Test("A client that is not configured is refused at the start")
    func unknownClient() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let error = #expect(throws: SignInError.self) {
                try Router().signInWithApple(signIn, native: NativeEndpoint(clientIDs: ["other"])) {
                    _,
                    _ in .session(SignInSession())
                }
            }
            #expect(error?.code == .configurationInvalid)
        }
    }

    @Test("Neither a browser nor an app, or no client, is refused at the start")
    func nobody() async throws {
        try await withAppleEmulator { apple in
            for native in [nil, NativeEndpoint(clientIDs: [])] {
                let signIn = try apple.signIn()
                let error = #expect(throws: SignInError.self) {
                    try Router().signInWithApple(signIn, native: native) { _, _ in
                        .session(SignInSession())
                    }
                }
                #expect(error?.code == .configurationInvalid)
            }
        }
    }

    @Test("A client that is not configured is refused without a code as well")
    func unknownClientWithoutCode() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let native = NativeEndpoint(clientIDs: ["other"], requiresCode: false)
            let error = #expect(throws: SignInError.self) {
                try Router().signInWithApple(signIn, native: native) { _, _ in
                    .session(SignInSession())
                }
            }
            #expect(error?.code == .configurationInvalid)
        }
    }
}
