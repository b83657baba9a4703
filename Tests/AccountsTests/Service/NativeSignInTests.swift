import Accounts
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import Testing

@Suite("Native sign-in")
struct NativeSignInTests {
    @Test("makes an account once, with the name and the address Apple told")
    func firstAndSecond() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            let first = try await service.signInNative(world.nativeRequest())
            #expect(first.isNewAccount)
            #expect(first.account.name == "Maya Lindgren")
            #expect(first.account.email == "maya@example.com")
            #expect(first.account.emailIsVerified)
            #expect(first.account.apple?.clientID == "com.example.juice")
            #expect(first.session.device == "Maya's phone")

            let second = try await service.signInNative(world.nativeRequest())
            #expect(!second.isNewAccount)
            #expect(second.account == first.account)
            #expect(second.token != first.token)
            #expect(second.session.id != first.session.id)
        }
    }

    @Test("follows the address of later tokens")
    func changedAddress() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            let first = try await service.signInNative(world.nativeRequest())
            try await world.apple.emulator.stopUsing(
                "maya@example.com",
                clientID: "com.example.juice"
            )
            let second = try await service.signInNative(world.nativeRequest(hidesEmail: true))
            #expect(second.account.id == first.account.id)
            #expect(second.account.emailIsPrivateRelay)
            #expect(second.account.email != "maya@example.com")
        }
    }

    @Test("accepts an identity token once, and asks Apple nothing the second time")
    func replay() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            let request = try await world.nativeRequest()
            _ = try await service.signInNative(request)
            var again = request
            again.authorizationCode = nil
            for replayed in [request, again] {
                let error = await #expect(throws: AccountsError.self) {
                    try await service.signInNative(replayed)
                }
                #expect(error?.code == .tokenReplayed)
                #expect(error?.status == 401)
                #expect(error?.isRetryable == false)
            }
            let exchanges = await world.statuses(of: ApplePath.token)
            #expect(exchanges == [200])
        }
    }

    @Test("fifty first sign-ins of one person at once make one account")
    func parallel() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            var requests: [NativeSignIn] = []
            for _ in 0..<50 { requests.append(try await world.nativeRequest()) }
            let receipts = try await withThrowingTaskGroup { group in
                for request in requests {
                    group.addTask { try await service.signInNative(request) }
                }
                var receipts: [SignInReceipt] = []
                for try await receipt in group { receipts.append(receipt) }
                return receipts
            }
            #expect(receipts.count == 50)
            #expect(Set(receipts.map(\.account.id)).count == 1)
            #expect(receipts.count { $0.isNewAccount } == 1)
            let last = try #require(receipts.last)
            let sessions = try await service.sessions(of: last.session)
            #expect(sessions.count == 50)
            let (_, account) = try await service.authenticate(last.token.text)
            #expect(account.name == "Maya Lindgren")
        }
    }

    @Test("refuses a code that belongs to another token")
    func foreignCode() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            var request = try await world.nativeRequest()
            request.authorizationCode = try await world.nativeRequest(for: "noah@example.com")
                .authorizationCode
            await expect("token_code_hash_mismatch", 401) { [request] in
                try await service.signInNative(request)
            }
        }
    }

    @Test("refuses a name that is too long, and accepts the same token with a shorter one")
    func longName() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            var request = try await world.nativeRequest()
            request.fullName = PersonName(givenName: String(repeating: "é", count: 201))
            await expect(.nameTooLong, 422) { [request] in
                try await service.signInNative(request)
            }
            request.fullName = PersonName(givenName: String(repeating: "🥝", count: 200))
            let receipt = try await service.signInNative(request)
            #expect(receipt.account.name == String(repeating: "🥝", count: 200))
        }
    }

    @Test("ends the session the same client had")
    func previousSession() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            let first = try await service.signInNative(world.nativeRequest())
            var request = try await world.nativeRequest()
            request.previousSessionToken = first.token.text
            let second = try await service.signInNative(request)
            let isFirstAlive = await world.signedIn(first, in: service)
            #expect(!isFirstAlive)
            let isSecondAlive = await world.signedIn(second, in: service)
            #expect(isSecondAlive)
        }
    }

    @Test("refuses fields no honest client sends")
    func longFields() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            var request = try await world.nativeRequest()
            request.nonce = String(repeating: "n", count: 513)
            await expect(.fieldTooLong, 422) { [request] in
                try await service.signInNative(request)
            }
            request.nonce = nil
            request.authorizationCode = String(repeating: "c", count: 1025)
            await expect(.fieldTooLong, 422) { [request] in
                try await service.signInNative(request)
            }
        }
    }
}
