import AppleIdentity
import Foundation
import ServerTestSupport
import Testing

@testable import Accounts

@Suite("Guessing passwords", AccountsWorld.lending) struct GuessingTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    @Test(
        "of one account waits longer each time, from any number of IP addresses, and at most five minutes"
    )
    func account() async throws {
        _ = try await service.create()
        var waits: [Int] = []
        for guess in 0..<14 {
            let waited = await wait("maya", guess)
            #expect(waited == nil)
            let blocked = await wait("maya", guess + 1000)
            waits.append(blocked ?? 0)
            world.time.advance(bySeconds: Double(blocked ?? 0))
        }
        // A guess that is let through after a free one is one more.
        #expect(waits.max() == 300)
        #expect(waits.suffix(2) == [300, 300])
        // The right password is not looked at while the wait lasts, and is right after it.
        _ = await wait("maya", 2000)
        await expect(.tooManyAttempts) { try await service.signIn() }
        world.time.advance(bySeconds: 300)
        try await service.signIn()
        // It ended the count.
        for guess in 0..<4 {
            let free = await wait("maya", 3000 + guess)
            #expect(free == nil)
        }
    }

    @Test("of unknown usernames waits just as long")
    func nobody() async throws {
        _ = try await service.create()
        var waits: [[Int?]] = []
        for name in ["maya", "nobody", "no\u{0}name"] {
            var all: [Int?] = []
            for guess in 0..<7 { all.append(await wait(name, guess)) }
            waits.append(all)
        }
        #expect(waits[0] == waits[1] && waits[1] == waits[2])
        #expect(waits[0] == [nil, nil, nil, nil, nil, 1, 1])
    }

    @Test("from one IP address waits for all usernames, and other IP addresses do not wait")
    func address() async throws {
        _ = try await service.create()
        for guess in 0..<30 {
            let free = await wait("name\(guess)", 0)
            #expect(free == nil)
        }
        await expect(.tooManyAttempts) {
            try await service.signIn(from: ClientDescription(address: "192.0.2.0"))
        }
        try await service.signIn(from: ClientDescription(address: "192.0.2.1"))
    }

    @Test("does not include right passwords: a whole office signs in from one IP address")
    func office() async throws {
        _ = try await service.create()
        let office = ClientDescription(address: "192.0.2.0")
        for _ in 0..<80 { try await service.signIn(from: office) }
    }

    @Test("Changes of a password are throttled, which keeps reset links valid")
    func manyChanges() async throws {
        _ = try await service.createProved(in: world)
        let theirs = try await service.signIn(from: ClientDescription(device: "a phone"))
        for _ in 0..<3 {
            _ = try await service.change(to: AccountsWorld.password, requestedBy: theirs.session)
        }
        try await service.requestPasswordReset(for: "maya", client: ClientDescription())
        let link = try await world.link(.passwordReset)
        await expect(.tooManyAttempts) {
            try await service.change(to: "seven ripe oranges", requestedBy: theirs.session)
        }
        let owner = ClientDescription(device: "a laptop")
        try await service.resetPassword(token: link, to: "battery staple", client: owner)
        let receipt = try await service.signIn("maya", "battery staple")
        _ = try await service.change(
            from: "battery staple",
            to: "seven ripe oranges",
            requestedBy: receipt.session
        )
    }

    @Test("in a session does not keep other sign-ins from changing the password")
    func guessesOfAnotherSession() async throws {
        let theirs = try await service.create().session
        for _ in 0..<5 {
            await expect(.credentialsInvalid) {
                try await service.change(from: "wrong", to: "nine ripe pears", requestedBy: theirs)
            }
        }
        world.time.advance(bySeconds: 0.5)
        await expect(.tooManyAttempts) {
            try await service.change(from: "wrong", to: "nine ripe pears", requestedBy: theirs)
        }
        let owner = try await service.signIn()
        _ = try await service.change(to: "seven ripe oranges", requestedBy: owner.session)
    }

    @Test("stays counted after a sign-in to the attacker's own account")
    func ownAccount() async throws {
        _ = try await service.create("mallory")
        let client = ClientDescription(address: "192.0.2.0")
        for guess in 0..<29 {
            await expect(.credentialsInvalid) {
                try await service.signIn("name\(guess)", "wrong horse", from: client)
            }
            try await service.signIn("mallory", from: client)
        }
        await expect(.credentialsInvalid) {
            try await service.signIn("name30", "wrong horse", from: client)
        }
        await expect(.tooManyAttempts) {
            try await service.signIn("name31", "wrong horse", from: client)
        }
    }

    @Test("is forgotten after a day")
    func forgotten() async throws {
        for guess in 0..<5 { _ = await wait("maya", guess) }
        #expect(await wait("maya", 9) == 1)
        world.time.advance(bySeconds: 86_400)
        for guess in 0..<5 {
            let free = await wait("maya", guess)
            #expect(free == nil)
        }
    }

    @Test("by creating accounts is throttled, and so is hashing by the server")
    func creations() async throws {
        for number in 0..<20 {
            _ = try await service.create(
                "maya\(number)",
                from: ClientDescription(address: "192.0.2.0")
            )
        }
        await expect(.tooManyAttempts) {
            try await service.create("maya20", from: ClientDescription(address: "192.0.2.0"))
        }
        _ = try await service.create("maya20", from: ClientDescription(address: "192.0.2.1"))
        world.time.advance(bySeconds: 60)
        _ = try await service.create("maya21", from: ClientDescription(address: "192.0.2.0"))
    }

    @Test("on the server's own machine, which may be a proxy, is throttled as that of ten clients")
    func ownMachine() async throws {
        let client = ClientDescription(address: "127.0.0.1", isThisMachine: true)
        for number in 0..<200 { _ = try await service.create("maya\(number)", from: client) }
        await expect(.tooManyAttempts) { try await service.create("maya200", from: client) }
        for guess in 0..<300 {
            await expect(.credentialsInvalid) {
                try await service.signIn("name\(guess)", "wrong horse", from: client)
            }
        }
        await expect(.tooManyAttempts) {
            try await service.signIn("name300", "wrong horse", from: client)
        }
    }

    @Test("taken usernames with an account linked to Apple is throttled")
    func names() async throws {
        _ = try await service.create()
        let apple = try await service.signIn(world.nativeRequest())
        for _ in 0..<5 {
            await expect(.usernameTaken) {
                try await service.addPassword(username: "maya", requestedBy: apple.session)
            }
        }
        await expect(.tooManyAttempts) {
            try await service.addPassword(username: "maya", requestedBy: apple.session)
        }
    }

    @Test("in parallel gets no further than one after the other")
    func atOnce() async throws {
        _ = try await service.create()
        let codes = await withTaskGroup { group in
            for guess in 0..<60 {
                group.addTask {
                    let from = ClientDescription(address: "\(guess)")
                    return await code { () async throws(AccountsError) in
                        try await service.signIn("maya", "wrong horse", from: from)
                    }
                }
            }
            return await group.reduce(into: [AccountsError.Code?]()) { $0.append($1) }
        }
        #expect(codes.count { $0 == .credentialsInvalid } == 5)
        #expect(codes.count { $0 == .tooManyAttempts } == 55)
    }

    @Test("does not include sixty users who sign in at once from one IP address")
    func crowd() async throws {
        for number in 0..<60 {
            let from = ClientDescription(address: "192.0.2.\(number)")
            _ = try await service.create("maya\(number)", from: from)
        }
        let office = ClientDescription(address: "192.0.2.0")
        let codes = await withTaskGroup { group in
            for number in 0..<60 {
                group.addTask {
                    await code { () async throws(AccountsError) in
                        try await service.signIn("maya\(number)", from: office)
                    }
                }
            }
            for _ in 0..<60 {
                group.addTask {
                    await code { () async throws(AccountsError) in
                        let home = ClientDescription(address: "198.51.100.1")
                        return try await service.signIn("maya0", from: home)
                    }
                }
            }
            return await group.reduce(into: [AccountsError.Code?]()) { $0.append($1) }
        }
        #expect(codes.count == 120 && codes.allSatisfy { $0 == nil })
    }

    @Test("does not include refusals of a busy server")
    func busy() async throws {
        let session = try await service.create().session
        let hasher = service.hasher
        var held: [PasswordHasher.Turn] = []
        for _ in 0..<hasher.concurrentCount { held.append(try await hasher.turn()) }
        await withTaskGroup { group in
            for _ in 0...PasswordQueue.maximumCount {
                group.addTask { await hasher.turn(of: .stranger()) != nil }
            }
            // One more than there are places: the line is full when it is refused.
            #expect(await group.next() == false)
            for _ in 0..<40 {
                await expect(.passwordBusy) { try await service.signIn() }
                await expect(.passwordBusy) {
                    try await service.change(to: "seven ripe oranges", requestedBy: session)
                }
                await expect(.passwordBusy) { try await service.create("noah") }
            }
            held.removeAll()
            #expect(await group.allSatisfy(\.self))
        }
        try await service.signIn()
        _ = try await service.change(to: "seven ripe oranges", requestedBy: session)
        _ = try await service.create("noah")
    }

    @Test(
        "does not keep a signed-in user from changing the password, where each attempt is counted"
    )
    func change() async throws {
        let session = try await service.create().session
        for guess in 0..<40 { _ = await wait("maya", guess) }
        await expect(.tooManyAttempts) { try await service.signIn() }
        for _ in 0..<4 {
            await expect(.credentialsInvalid) {
                try await service.change(
                    from: "wrong horse",
                    to: "seven ripe oranges",
                    requestedBy: session
                )
            }
        }
        _ = try await service.change(to: "seven ripe oranges", requestedBy: session)
        for _ in 0..<5 {
            await expect(.credentialsInvalid) {
                try await service.change(to: "nine ripe oranges", requestedBy: session)
            }
        }
        await expect(.tooManyAttempts) {
            try await service.change(
                from: "seven ripe oranges",
                to: "nine ripe oranges",
                requestedBy: session
            )
        }
    }

    @Test("does not keep a user from signing in on a known device, until the password changes")
    func knownDevice() async throws {
        let receipt = try await service.create()
        let sealed = try #require(await service.knownDevice(of: receipt.account))
        let other = try await service.create("noah").account
        var browser = ClientDescription(address: "192.0.2.200", knownDevice: sealed)
        for guess in 0..<6 { _ = await wait("maya", guess) }
        await expect(.tooManyAttempts) { try await service.signIn() }
        try await service.signIn(from: browser)
        var stranger = browser
        for device in [nil, "", sealed + "A", await service.knownDevice(of: other)] {
            stranger.knownDevice = device
            await expect(.tooManyAttempts) { try await service.signIn(from: stranger) }
        }
        // Its guesses have their own limit, and are none of the strangers'.
        for _ in 0..<5 {
            await expect(.credentialsInvalid) {
                try await service.signIn("maya", "wrong horse", from: browser)
            }
        }
        await expect(.tooManyAttempts) { try await service.signIn(from: browser) }
        world.time.advance(bySeconds: 1)
        try await service.signIn(from: browser)
        for guess in 0..<6 { _ = await wait("maya", guess + 100) }
        _ = try await service.change(to: "seven ripe oranges", requestedBy: receipt.session)
        for guess in 0..<6 { _ = await wait("maya", guess + 200) }
        await expect(.tooManyAttempts) {
            try await service.signIn("maya", "seven ripe oranges", from: browser)
        }
        browser.knownDevice = await service.knownDevice(of: receipt.account)
        try await service.signIn("maya", "seven ripe oranges", from: browser)
    }

    @Test("from a network does not keep a known device there from its username")
    func knownDeviceInBusyNetwork() async throws {
        let receipt = try await service.create()
        var client = ClientDescription(address: "192.0.2.0")
        for guess in 0..<31 {
            _ = await code { () async throws(AccountsError) in
                try await service.signIn("name\(guess)", "wrong horse", from: client)
            }
        }
        client.knownDevice = await service.knownDevice(of: receipt.account)
        try await service.signIn(from: client)
        // It is known to one username only, and its wrong passwords have their own count.
        await expect(.tooManyAttempts) { try await service.signIn("noah", from: client) }
        for _ in 0..<5 {
            await expect(.credentialsInvalid) {
                try await service.signIn("maya", "wrong horse", from: client)
            }
        }
        await expect(.tooManyAttempts) { try await service.signIn(from: client) }
    }

    @Test("leaves no username, IP address or password in the log or the files")
    func traces() async throws {
        let client = ClientDescription(device: "a laptop", address: "198.51.100.77")
        await expect(.credentialsInvalid) {
            try await service.signIn("somebodys-name", "somebodys-password", from: client)
        }
        let bytes = try world.folder.everything()
        for word in ["somebodys", "198.51.100.77"] {
            #expect(bytes.range(of: Data(word.utf8)) == nil)
            #expect(!world.log.text.contains(word))
        }
        #expect(world.log.text.contains("password refused"))
    }

    /// Tries a wrong password from an address of its own; how long it has to wait, if it does.
    private func wait(_ name: String, _ address: Int) async -> Int? {
        do throws(AccountsError) {
            _ = try await service.signIn(
                name,
                "wrong horse",
                from: ClientDescription(address: "192.0.2.\(address)")
            )
            Issue.record("a wrong password was right")
            return nil
        } catch {
            return error.parameters["seconds"].flatMap { Int($0) }
        }
    }
}

/// The code of the error that a call throws; nil when it throws none.
func code(_ body: () async throws(AccountsError) -> some Any) async -> AccountsError.Code? {
    do throws(AccountsError) {
        _ = try await body()
        return nil
    } catch {
        return error.code
    }
}
