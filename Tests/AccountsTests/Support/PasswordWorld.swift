import AppleIdentity
import Foundation
import ServerTestSupport
import Testing

@testable import Accounts

extension AccountsWorld {
    static let password = "correct horse"

    /// The same world where hashing a password takes no time, and mail is offered.
    func withPasswords(hasMail: Bool = true) -> AccountsWorld {
        var world = self
        world.configuration.hasMail = hasMail
        world.configuration.passwordCost = .free
        return world
    }

    /// What the worker sends now.
    func mails() async throws -> [MailOrder] {
        let taken = LockedValue<[MailOrder]>([])
        let sender = MailSender { order, _ in taken.withLock { $0.append(order) } }
        try await worker(mail: sender).drain()
        return taken.withLock(\.self)
    }

    /// Sends all mail and gives the secret in the link of the only one of a kind to an address.
    ///
    /// Only one, because mails of the same moment are sent in any order.
    func link(_ kind: MailOrder.Kind, to address: String? = nil) async throws -> String {
        let found = try await mails().filter { mail in
            mail.kind == kind && (address ?? mail.address) == mail.address
        }
        try #require(found.count == 1)
        return try #require(found[0].linkToken)
    }
}

extension AccountsService {
    func create(
        _ username: String = "maya",
        password: String = AccountsWorld.password,
        name: String? = nil,
        email: String? = nil,
        from client: ClientDescription = ClientDescription(device: "a laptop")
    ) async throws(AccountsError) -> SignInReceipt {
        try await createAccount(
            PasswordRegistration(
                username: username,
                password: password,
                name: name,
                email: email,
                client: client
            )
        )
    }

    /// Makes an account whose address is proved.
    func createProved(
        _ username: String = "maya",
        email: String = "maya@example.com",
        in world: AccountsWorld
    ) async throws -> SignInReceipt {
        let receipt = try await create(username, email: email)
        let account = try await verifyEmail(
            token: world.link(.verification, to: email),
            requestedBy: receipt.session
        )
        let signedIn = SignedInSession(session: receipt.session, account: account)
        return SignInReceipt(signedIn, receipt.token, isNewAccount: true)
    }

    @discardableResult
    func signIn(
        _ username: String = "maya",
        _ password: String = AccountsWorld.password,
        from client: ClientDescription = ClientDescription(device: "a laptop")
    ) async throws(AccountsError) -> SignInReceipt {
        try await signIn(username, password, client: client)
    }

    func change(
        from current: String? = AccountsWorld.password,
        to password: String,
        username: String? = nil,
        requestedBy session: Session
    ) async throws(AccountsError) -> Account {
        try await changePassword(
            username: username,
            from: current,
            to: password,
            requestedBy: session,
            client: ClientDescription(device: "a laptop")
        )
    }

    func addPassword(
        _ password: String = AccountsWorld.password,
        username: String,
        requestedBy session: Session
    ) async throws(AccountsError) -> Account {
        try await change(from: nil, to: password, username: username, requestedBy: session)
    }

    func unlinkApple(requestedBy session: Session) async throws(AccountsError) -> Account {
        try await unlinkApple(requestedBy: session, client: ClientDescription())
    }

    @discardableResult
    func changeEmail(
        to address: String,
        by receipt: SignInReceipt,
        client: ClientDescription
    ) async throws(AccountsError) -> Account {
        try await changeEmail(
            to: address,
            of: receipt.account,
            requestedBy: receipt.session,
            client: client
        )
    }

    func requestVerification(
        by receipt: SignInReceipt,
        client: ClientDescription
    ) async throws(AccountsError) {
        try await requestVerification(
            of: receipt.account,
            requestedBy: receipt.session,
            client: client
        )
    }

    func link(_ request: SignInRequest, to receipt: SignInReceipt) async throws -> Account {
        let check = try check(request)
        try await beforeExchange(check, linkingTo: receipt.session)
        return try await linkApple(
            check,
            grant: try await request.redeem(),
            requestedBy: receipt.session
        )
    }

    /// The account as it is now.
    func account(of receipt: SignInReceipt) async throws -> Account {
        try await session(token: receipt.token.text).account
    }
}
