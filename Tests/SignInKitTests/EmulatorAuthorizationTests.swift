import AppleEmulatorServer
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import SignInKit

@Suite("Sign in with Apple at an emulator's control port", .timeLimit(.minutes(5)))
struct EmulatorAuthorizationTests {
    private static let request = AuthorizationRequest(
        methods: [.apple],
        scopes: [.name, .email],
        nonce: "n-1",
        state: "s-1"
    )

    private func authorization(
        _ control: URL,
        app: ClientID = AppWorld.app,
        email: String = AppWorld.maya,
        transport: any ServerTransport = URLSessionTransport(),
        time: TimeSource = .live
    ) -> EmulatorAuthorization {
        var service = EmulatorAuthorization(
            control: control,
            app: app,
            email: email,
            transport: transport
        )
        service.time = time
        return service
    }

    /// Answers every request with the same.
    private struct FixedTransport: ServerTransport {
        let status: Int
        let body: String

        func send(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer {
            ServerAnswer(status: status, headers: [:], body: Data(body.utf8))
        }
    }

    @Test("The person agrees without a sheet, and the name comes the first time alone")
    func signsIn() async throws {
        try await withApp { world in
            try await withEmulatorService(world.apple.emulator) { addresses in
                let control = addresses.control
                let client = try world.launch(authorization: authorization(control))
                let first = try await client.signInWithApple()
                #expect(first.isConfirmed && first.account.name?.contains("Maya") == true)
                #expect(first.account.email == AppWorld.maya)
                await client.signOut()
                let again = try await client.signInWithApple()
                #expect(again.account.id == first.account.id)
                #expect(try await world.counts().accounts == 1)
            }
        }
    }

    @Test("Nonce, state and scopes are those of the request") func request() async throws {
        try await withAppleEmulator { apple in
            try await withEmulatorService(apple.emulator) { addresses in
                let control = addresses.control
                let granted = try await authorization(control).authorize(Self.request)
                guard case .apple(let credential) = granted else {
                    Issue.record("no credential of Apple's: \(granted)")
                    return
                }
                #expect(credential.state == "s-1" && credential.email == AppWorld.maya)
                #expect(credential.fullName?.givenName == "Maya")
                #expect(credential.authorizationCode?.isEmpty == false)
                #expect(credential.authorizedScopes == [.name, .email])
                let payload = credential.identityToken.split(separator: ".").dropFirst().first
                let claims = try JSONObject(
                    parsing: try #require(payload.flatMap { Data(base64URL: $0) })
                )
                #expect(claims["nonce"]?.stringValue == "n-1")
                let later = try await authorization(control).authorize(Self.request)
                guard case .apple(let second) = later else { return }
                #expect(second.user == credential.user)
                #expect(second.email == nil && second.fullName?.givenName == nil)
            }
        }
    }

    @Test("The state follows what the person did") func states() async throws {
        try await withAppleEmulator { apple in
            let gone = try await withEmulatorService(apple.emulator) { addresses in
                let control = addresses.control
                let service = authorization(control)
                #expect(await service.credentialState(of: "nobody") == .notFound)
                guard case .apple(let credential) = try await service.authorize(Self.request) else {
                    return service
                }
                #expect(await service.credentialState(of: credential.user) == .authorized)
                let stop = control.appending(path: "people/\(AppWorld.maya)/stop-using")
                let stopped = try await URLSessionTransport().send(
                    ServerRequest(
                        method: "POST",
                        url: stop,
                        headers: ["Content-Type": "application/json"],
                        body: Data(#"{"client_id": "com.example.juice"}"#.utf8)
                    )
                )
                #expect(stopped.status == 200)
                #expect(await service.credentialState(of: credential.user) == .revoked)
                let stranger = authorization(control, email: "no/body?@example.com")
                let unknown = await stranger.credentialState(of: credential.user)
                #expect(unknown == .unknown("the control port answered 404"))
                return service
            }
            guard case .unknown(let hint) = await gone.credentialState(of: "somebody") else {
                Issue.record("a port that is gone knows no state")
                return
            }
            #expect(hint.hasPrefix("the control port: "))
        }
    }

    @Test("What the emulator refuses, and a port that is gone, are failures of the sign-in")
    func failures() async throws {
        try await withAppleEmulator { apple in
            let gone = try await withEmulatorService(apple.emulator) { addresses in
                let control = addresses.control
                await #expect(throws: AuthorizationFailure(.noCredential)) {
                    let request = AuthorizationRequest(methods: [.password])
                    _ = try await authorization(control).authorize(request)
                }
                let strangers = [
                    authorization(control, email: "nobody@example.com"),
                    authorization(control, app: "com.example.unknown"),
                ]
                for stranger in strangers {
                    let failure = await #expect(throws: AuthorizationFailure.self) {
                        try await stranger.authorize(Self.request)
                    }
                    #expect(failure?.kind == .unknown)
                    #expect(failure?.hint.hasPrefix("the control port answered 4") == true)
                }
                return authorization(control)
            }
            let failure = await #expect(throws: AuthorizationFailure.self) {
                try await gone.authorize(Self.request)
            }
            #expect(failure?.kind == .failed)
        }
    }

    @Test(
        "An answer that can't be read is a failure, and no state",
        arguments: [
            ("not JSON", AuthorizationFailure.Kind.unknown), ("[]", .unknown),
            ("{}", .invalidResponse), (#"{"user": "u", "identity_token": 1}"#, .invalidResponse),
            (#"{"user": "u", "identity_token": "t", "full_name": "Maya"}"#, .invalidResponse),
        ]
    ) func unreadable(body: String, kind: AuthorizationFailure.Kind) async throws {
        let control = try #require(URL(string: "http://127.0.0.1:8082"))
        let service = authorization(control, transport: FixedTransport(status: 200, body: body))
        let failure = await #expect(throws: AuthorizationFailure.self) {
            try await service.authorize(Self.request)
        }
        #expect(failure?.kind == kind)
        guard case .unknown = await service.credentialState(of: "u") else {
            Issue.record("no state can be read from \(body)")
            return
        }
    }

    @Test("The emulated user hides the address, and edits or withholds the name")
    func choices() async throws {
        try await withAppleEmulator { apple in
            try await withEmulatorService(apple.emulator) { addresses in
                let name = EmulatedChoice.Name.edited(
                    PersonName(givenName: "Mimi", familyName: nil)
                )
                let hiding = EmulatedChoice(hidesEmail: true, name: name)
                let first = try await credential(addresses.control, choice: hiding)
                #expect(first.email?.hasSuffix("@privaterelay.appleid.com") == true)
                #expect(first.fullName == PersonName(givenName: "Mimi", familyName: nil))
                let withholding = EmulatedChoice(name: .withheld)
                let second = try await credential(
                    addresses.control,
                    email: AppWorld.noah,
                    choice: withholding
                )
                #expect(second.email == AppWorld.noah && second.fullName == nil)
            }
        }
    }

    private func credential(
        _ control: URL,
        email: String = AppWorld.maya,
        choice: EmulatedChoice
    ) async throws -> AppleCredential {
        let service = EmulatorAuthorization(
            control: control,
            app: AppWorld.app,
            email: email,
            choice: choice
        )
        guard case .apple(let credential) = try await service.authorize(Self.request) else {
            throw AuthorizationFailure(.failed)
        }
        return credential
    }

    @Test(
        "What the device lacks, and a closed sheet, fail as on a device",
        arguments: [
            ("cancel", AuthorizationFailure.Kind.canceled), ("no-account", .unknown),
            ("no-two-factor,hide-email", .unknown),
        ]
    )
    func failures(_ words: String, kind: AuthorizationFailure.Kind) async throws {
        let service = EmulatorAuthorization(
            control: try #require(URL(string: "http://127.0.0.1:1")),
            app: AppWorld.app,
            email: AppWorld.maya,
            choice: try #require(EmulatedChoice(words: words))
        )
        let failure = await #expect(throws: AuthorizationFailure.self) {
            try await service.authorize(Self.request)
        }
        #expect(failure?.kind == kind)
    }

    @Test("A silent request finds a credential only of a user who uses the app")
    func silent() async throws {
        try await withAppleEmulator { apple in
            try await withEmulatorService(apple.emulator) { addresses in
                let service = authorization(addresses.control)
                var request = Self.request
                request.onlyImmediatelyAvailable = true
                let failure = await #expect(throws: AuthorizationFailure.self) {
                    try await service.authorize(request)
                }
                #expect(failure?.kind == .noCredential)
                _ = try await service.authorize(Self.request)
                _ = try await service.authorize(request)
            }
        }
    }

    @Test("A revocation arrives while the app listens")
    func revocations() async throws {
        try await withAppleEmulator { apple in
            try await withEmulatorService(apple.emulator) { addresses in
                let time = ManualTime(now: apple.time.now)
                let service = authorization(addresses.control, time: time.source)
                _ = try await service.authorize(Self.request)
                let arrival = Signal()
                let listening = Task {
                    for await _ in service.revocations { arrival.send() }
                }
                defer { listening.cancel() }
                try await waitUntil { time.sleeperCount > 0 }
                try await service.stopUsing()
                time.advance(bySeconds: 1)
                await arrival.wait()
            }
        }
    }

    @Test("The launch environment of a UI test names the emulator, the user and the choice")
    func environment() {
        let app = AppWorld.app
        #expect(EmulatorAuthorization(environment: [:], app: app) == nil)
        let control = ["SIWA_EMULATOR": "http://127.0.0.1:8082"]
        #expect(EmulatorAuthorization(environment: control, app: app) != nil)
        let unknown = control.merging(["SIWA_EMULATOR_CHOICE": "decline"]) { $1 }
        #expect(EmulatorAuthorization(environment: unknown, app: app) == nil)
        let name = PersonName(givenName: "Mimi", familyName: "van Dyk")
        #expect(
            EmulatedChoice(words: "name=Mimi van Dyk,hide-email")
                == EmulatedChoice(hidesEmail: true, name: .edited(name))
        )
        #expect(EmulatedChoice(words: "name=") == nil)
    }
}
