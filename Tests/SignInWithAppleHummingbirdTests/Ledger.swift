import AppleIdentity
import Hummingbird
import SignInWithApple
import SignInWithAppleHummingbird
import TestSupport

/// A developer's store: it fails a set number of times, and records what it was given.
actor Ledger {
    struct Failure: Error {}

    static let lending = Lending<(Ledger, HelloWorld, HelloWorld)> { body in
        try await withLedger { try await body(($0, $1, $2)) }
    }

    private(set) var signIns: [VerifiedSignIn] = []
    private(set) var notifications: [VerifiedNotification] = []
    private(set) var failure: (any Error)?

    func fail(with error: (any Error)?) { failure = error }

    func add(_ signIn: VerifiedSignIn) throws -> WebSession {
        if let failure { throw failure }
        signIns.append(signIn)
        return WebSession()
    }

    func add(_ notification: VerifiedNotification) throws {
        if let failure { throw failure }
        notifications.append(notification)
    }

    /// A server that writes into this ledger; each has its own memory, like one more replica.
    nonisolated func router(
        apple: AppleSignIn,
        sealingKeys: String? = HelloWorld.sealingKeys
    ) throws -> Router<BasicRequestContext> {
        let web = WebFlow(
            redirectURI: HelloWorld.redirectURI,
            sealer: try sealingKeys.map { keys throws(SealingError) in try TokenSealer(keys: keys)
            },
            servicesID: "com.example.juice.web"
        )
        let native = NativeEndpoint(appIDs: ["com.example.juice"])
        return try Router()
            .signInWithApple(apple, web: web, native: native) { signIn, _ in
                .session(try await self.add(signIn))
            }
            .signInWithAppleNotifications(apple, at: "apple/notifications") { notification, _ in
                try await self.add(notification)
            }
    }
}
