import Accounts
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Testing

@Suite("Native sign-in", AccountsWorld.lending) struct NativeSignInTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lent }

    @Test("creates an account once, with the name and email address from Apple")
    func firstAndSecond() async throws {
        let first = try await service.signIn(world.nativeRequest())
        #expect(first.isNewAccount)
        #expect(first.account.name?.text == "Maya Lindgren")
        #expect(first.account.email?.text == "maya@example.com")
        #expect(first.account.email?.isVerified == true)
        #expect(first.account.apple?.clientID == "com.example.juice")
        #expect(first.session.device == "Maya's phone")

        let second = try await service.signIn(world.nativeRequest())
        #expect(!second.isNewAccount)
        #expect(second.account == first.account)
        #expect(second.token != first.token)
        #expect(second.session.id != first.session.id)
    }

    @Test("takes the email address of later tokens")
    func changedAddress() async throws {
        let first = try await service.signIn(world.nativeRequest(hidesEmail: true))
        #expect(first.account.email?.isPrivateRelay == true)
        func signInAgain(hidesEmail: Bool) async throws -> Account {
            try await world.apple.emulator.stopUsing(
                "maya@example.com",
                clientID: "com.example.juice"
            )
            let request = try await world.nativeRequest(hidesEmail: hidesEmail)
            return try await service.signIn(request).account
        }
        let shared = try await signInAgain(hidesEmail: false)
        #expect(shared.id == first.account.id)
        #expect(shared.email?.text == "maya@example.com")
        #expect(shared.email?.isPrivateRelay == false)
        // A hidden address does not replace a confirmed own one.
        #expect(try await signInAgain(hidesEmail: true).email == shared.email)
    }

    @Test("accepts an identity token once, and sends nothing to Apple the second time")
    func replay() async throws {
        let request = try await world.nativeRequest()
        _ = try await service.signIn(request)
        var again = request
        again.code = nil
        for replayed in [request, again] {
            let error = await #expect(throws: AccountsError.self) {
                try await service.signIn(replayed)
            }
            #expect(error?.code == .tokenReplayed)
            #expect(error?.isRetryable == false)
        }
        #expect(await world.statuses(of: ApplePath.token) == [200])
    }

    @Test("fifty first sign-ins of a user at once create one account")
    func parallel() async throws {
        var requests: [SignInRequest] = []
        for _ in 0..<50 { requests.append(try await world.nativeRequest()) }
        let receipts = try await withThrowingTaskGroup { group in
            for request in requests { group.addTask { try await service.signIn(request) } }
            var receipts: [SignInReceipt] = []
            for try await receipt in group { receipts.append(receipt) }
            return receipts
        }
        #expect(receipts.count == 50)
        #expect(Set(receipts.map(\.account.id)).count == 1)
        #expect(receipts.count { $0.isNewAccount } == 1)
        let last = try #require(receipts.last)
        #expect(try await service.sessions(of: last.session).count == 50)
        let account = try await service.session(token: last.token.text).account
        #expect(account.name?.text == "Maya Lindgren")
    }

    @Test("ends the client's previous session")
    func previousSession() async throws {
        let first = try await service.signIn(world.nativeRequest())
        var request = try await world.nativeRequest()
        request.client.previousSessionToken = first.token.text
        let second = try await service.signIn(request)
        #expect(await !world.signedIn(first, in: service))
        #expect(await world.signedIn(second, in: service))
    }
}
