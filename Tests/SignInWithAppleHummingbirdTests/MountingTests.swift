import AppleEmulatorTesting
import AppleIdentity
import Hummingbird
import SignInWithApple
import SignInWithAppleHummingbird
import Testing

@Suite("Adding the routes") struct MountingTests {
    private func expectRefusal(web: WebFlow? = nil, native: NativeEndpoint? = nil) async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let error = #expect(throws: SignInError.self) {
                try Router().signInWithApple(signIn, web: web, native: native) { _, _ in
                    .session(WebSession())
                }
            }
            #expect(error?.code == .configurationInvalid)
        }
    }

    @Test(
        "A redirect URI at which Apple's response could never arrive is rejected at the start",
        arguments: [
            "http://juice.example.com/auth/apple/callback", "https://juice.example.com/callback",
            "https://juice.example.com/auth/apple/callback?a=b", "/auth/apple/callback", "",
        ]
    )
    func address(_ redirectURI: String) async throws {
        let flow = WebFlow(
            redirectURI: redirectURI,
            sealer: try TokenSealer(keys: HelloWorld.sealingKeys),
            servicesID: "com.example.juice.web"
        )
        try await expectRefusal(web: flow)
    }

    @Test("A client that is not configured is refused at the start, also without a code")
    func unknownClient() async throws {
        try await expectRefusal(native: NativeEndpoint(appIDs: ["other"]))
        try await expectRefusal(native: NativeEndpoint(appIDs: ["other"], requiresCode: false))
    }

    @Test("A Services ID without nonces, or that is an app's ID too, is refused at the start")
    func servicesIDs() async throws {
        var native = NativeEndpoint(appIDs: ["com.example.juice"])
        native.servicesIDs = ["com.example.juice.web"]
        try await expectRefusal(native: native)
        native.nonces = try .inMemory()
        native.redirectOrigins = ["https://juice.example.com"]
        native.servicesIDs = ["com.example.juice"]
        try await expectRefusal(native: native)
    }

    @Test(
        "Origins at which no redirect URI can be are refused at the start",
        arguments: [
            [], ["https://juice.example.com/"], ["https://juice.example.com:443"],
            ["https://Juice.example.com"], ["HTTPS://juice.example.com"],
            ["https://juice.example.com/shop"], ["https://*.example.com"], ["juice.example.com"],
            ["https://büro.example.com"], ["http://juice.example.com"], ["http://localhost:80"],
            ["https://a@juice.example.com"], [""], ["https://juice.example.com", "*"],
        ] as [Set<String>]
    )
    func redirectOrigins(_ origins: Set<String>) async throws {
        var native = NativeEndpoint(appIDs: ["com.example.juice"], nonces: try .inMemory())
        native.servicesIDs = ["com.example.juice.web"]
        native.redirectOrigins = origins
        try await expectRefusal(native: native)
    }

    @Test("Origins with an IPv6 address keep their brackets")
    func addresses() async throws {
        try await withAppleEmulator { apple in
            var native = NativeEndpoint(appIDs: ["com.example.juice"], nonces: try .inMemory())
            native.servicesIDs = ["com.example.juice.web"]
            native.redirectOrigins = ["https://[2001:db8::1]", "http://[::1]:8080"]
            try Router().signInWithApple(try apple.signIn(), native: native) { _, _ in
                .session(WebSession())
            }
        }
    }

    @Test("Neither a browser nor an app, or no client, is refused at the start")
    func nobody() async throws {
        try await expectRefusal()
        try await expectRefusal(native: NativeEndpoint(appIDs: []))
    }
}
