import AppleIdentity
import Foundation
import HTTPTypes

@testable import AppleEmulator

/// Does to an emulated Apple whatever can be done to one; a seed decides what, and in which order.
///
/// Refused actions are included: they must change nothing.
struct RandomLife {
    private enum Operation: CaseIterable {
        case team, key, app, service, person, mailSource, transfer
        case credentials, webSignIn, sheet, exchange, refresh, revoke
        case stopUsing, forwarding, password, delete, comeBack
        case clock, switches, settings, fault, request, rotate
        case notification, delivery, mail, reply, outgoing
        case migration, decision

        /// Its relative frequency.
        var weight: Int {
            switch self {
            case .credentials, .webSignIn, .exchange, .mail, .person: 6
            case .service, .app, .transfer, .forwarding, .refresh, .comeBack: 4
            case .rotate: 0
            default: 2
            }
        }
    }

    private static let weighted = Operation.allCases.flatMap {
        Array(repeating: $0, count: $0.weight)
    }

    var box: Box
    var chance: SeededGenerator
    private(set) var codes: [String] = []
    private(set) var refreshTokens: [String] = []
    private(set) var relays: [String] = []
    private var gone: [String] = []
    private var wasRotated = false

    init(box: Box, seed: UInt64) {
        self.box = box
        chance = SeededGenerator(seed: seed)
    }

    mutating func live(operationCount: Int) async {
        for _ in 0..<operationCount {
            guard let operation = pick(Self.weighted) else { return }
            // A refusal is a valid result.
            try? await perform(operation)
        }
        guard !wasRotated else { return }
        wasRotated = true
        try? await rotate()
    }

    private mutating func perform(_ operation: Operation) async throws {
        switch operation {
        case .team:
            try await add(
                .team,
                ["team_id": .string("TEAM00000\(number(0...9))"), "individual": .boolean(coin())]
            )
        case .key: try await add(.key, ["team_id": try await teamID()])
        case .app: try await addApp()
        case .service: try await addService()
        case .person: try await addPerson(anyAddress())
        case .mailSource: try await addMailSource()
        case .transfer: try await transfer()
        case .credentials: try await signInOnDevice()
        case .webSignIn: try await signInOnTheWeb()
        case .sheet: try await useSheet()
        case .exchange: try await exchange()
        case .refresh: _ = try await box.refresh(pick(refreshTokens) ?? "")
        case .revoke: try await revoke()
        case .stopUsing:
            try await box.apple.stopUsing(
                try await person(),
                clientID: ClientID(try await clientID())
            )
        case .forwarding:
            try await box.apple.setForwarding(
                try await person(),
                clientID: ClientID(try await clientID()),
                enabled: coin()
            )
        case .password:
            try await box.apple.changePassword(
                of: try await person(),
                ["password": .string(oddText()), "keep_tokens": .boolean(coin())]
            )
        case .delete:
            let email = try await person()
            try await box.apple.deletePerson(email)
            gone.append(email)
        case .comeBack: try await addPerson(pick(gone) ?? "nobody")
        case .clock:
            let seconds = pick([-86_400, -60, 1, 600, 86_400, 40 * 86_400]) ?? 1
            try await box.advance(bySeconds: seconds)
            box.time.advance(bySeconds: Double(number(0...999)) / 1_000)
        case .switches: try await changeSwitches()
        case .settings: try await changeSettings()
        case .fault: try await addFault()
        case .request: _ = await box.send(.get, pick(["/auth/keys", "/auth/" + oddText()]) ?? "/")
        case .rotate: try await rotate()
        case .notification: try await notify()
        case .delivery: _ = await box.answerDue(pick([200, 201, 500]) ?? 200, body: oddText())
        case .mail: try await sendMail()
        case .reply:
            let id = String(number(1...(await box.apple.currentState.mail.lastNumber + 1)))
            _ = try await box.apple.replyToMail(id: id, ["text": .string(oddText())])
        case .outgoing: await handMailOn()
        case .migration: try await migrate()
        case .decision: _ = try await box.apple.decideNext(["person": .string(try await person())])
        }
    }
}

// MARK: Registrations

extension RandomLife {
    private func add(_ kind: SeedKind, _ object: JSONObject) async throws {
        _ = try await box.apple.add(kind, object)
    }

    private mutating func teamID() async throws -> JSONValue {
        let teams = await box.apple.currentState.registry.teams.keys.map(\.rawValue).sorted()
        return .string(pick(teams) ?? "")
    }

    private mutating func clientID() async throws -> String {
        let registry = await box.apple.currentState.registry
        let known = (Array(registry.apps.keys) + Array(registry.services.keys)).map(\.rawValue)
        return pick(known.sorted()) ?? ""
    }

    private mutating func appID() async throws -> String {
        let known = await box.apple.currentState.registry.apps.keys.map(\.rawValue)
        return pick(known.sorted()) ?? ""
    }

    private mutating func addApp() async throws {
        let team = try await teamID()
        var app: JSONObject = [
            "client_id": .string("com.example.app\(number(0...30))"), "team_id": team,
        ]
        if coin() { app["name"] = .string(oddText()) }
        if chance.chance(0.3) { app["primary_client_id"] = .string(try await appID()) }
        if coin() { app["notification_url"] = "http://localhost:8080/notifications" }
        try await add(.app, app)
    }

    private mutating func addService() async throws {
        let urls = (0..<number(0...14)).map { JSONValue.string("https://a.example.com/\($0)") }
        // A team's identifier may stand before a name as long as it is another team's.
        let team = try await teamID().stringValue ?? ""
        let prefix = pick(["com.example.web", team + ".web"]) ?? ""
        try await add(
            .service,
            [
                "client_id": .string(prefix + String(number(0...30))),
                "primary_client_id": .string(try await appID()), "return_urls": .array(urls),
            ]
        )
    }

    private mutating func addPerson(_ email: String) async throws {
        var person: JSONObject = ["email": .string(email), "managed": .boolean(coin())]
        if coin() { person["given_name"] = .string(oddText()) }
        if coin() { person["other_emails"] = [.string(anyAddress())] }
        if chance.chance(0.2) { person["has_email"] = false }
        if coin() { person["email_verified"] = .boolean(coin()) }
        try await add(.person, person)
    }

    private mutating func addMailSource() async throws {
        let domain = pick(["a.example.com", "\u{130}.example.com", "m\u{fc}ll.example"]) ?? ""
        let place: (String, String) = coin() ? ("domain", domain) : ("address", anyAddress())
        let authentication = pick(["spf", "dkim", "both", "none"]) ?? "both"
        try await add(
            .mailSource,
            [
                "team_id": try await teamID(), place.0: .string(place.1),
                "authentication": .string(authentication),
            ]
        )
    }

    private mutating func transfer() async throws {
        _ = try await box.apple.transfer([
            "client_id": .string(try await appID()), "to_team": try await teamID(),
        ])
    }
}

// MARK: Signing in

extension RandomLife {
    mutating func person() async throws -> String {
        pick(await box.apple.currentState.people.all.map(\.account.email)) ?? "nobody"
    }

    private mutating func signInOnDevice() async throws {
        var request: JSONObject = [
            "client_id": .string(try await appID()), "scopes": coin() ? ["name", "email"] : [],
            "email": coin() ? "hide" : "share", "nonce": .string(oddText()),
        ]
        if coin() { request["name"] = ["given_name": .string(oddText())] }
        let email = try await person()
        let credentials = try await box.apple.credentials(for: email, request)
        codes.append(credentials["authorization_code"]?.stringValue ?? "")
        if let relay = credentials["email"]?.stringValue { relays.append(relay) }
    }

    private mutating func signInOnTheWeb() async throws {
        try await box.decide([
            "person": .string(try await person()), "email": coin() ? "hide" : "share",
            "decision": coin() ? "continue" : "cancel",
        ])
        let state = oddText()
        let path =
            "/auth/authorize?" + Box.encode(Box.authorizeFields.merging(["state": state]) { $1 })
        let switches = HTTPField.Name("X-Siwa-Switches").map {
            HTTPField(name: $0, value: "{\"boolean_claims\":\"text\"}")
        }
        let headers: HTTPFields = coin() ? HTTPFields([switches].compactMap(\.self)) : [:]
        let fields = await box.send(.get, path, headers: headers).hiddenFields
        codes.append(fields["code"] ?? "")
    }

    private mutating func useSheet() async throws {
        let sheet = await box.signIn(await box.authorize(), email: try await person())
        let name = ["given_name": oddText(), "family_name": oddText()]
        let choice = Box.consent.merging(name) { $1 }
        codes.append(await box.step(sheet, "continue", choice).hiddenFields["code"] ?? "")
    }

    private mutating func exchange() async throws {
        guard let code = pick(codes) else { return }
        let reply = try await box.exchange(code, coin() ? ["client_id": Box.app] : [:])
        if let token = reply["refresh_token"] { refreshTokens.append(token) }
    }

    private mutating func revoke() async throws {
        let fields = [
            "client_id": Box.web, "client_secret": try box.secret(),
            "token": pick(refreshTokens) ?? "",
        ]
        _ = await box.post("/auth/revoke", fields)
    }

    private mutating func migrate() async throws {
        let fields = [
            "client_id": Box.web, "client_secret": try box.secret(),
            "grant_type": "client_credentials", "scope": "user.migration",
        ]
        _ = await box.post("/auth/token", fields)
    }
}

// MARK: Behaviour

extension RandomLife {
    private mutating func changeSwitches() async throws {
        let changes: [JSONObject] = [
            ["throttled_refresh": "429", "refreshes_per_day": .integer(number(1...5))],
            ["throttled_refresh": "never"], ["relay_domain": "icloud.com"],
            ["relay_domain": "private.icloud.com"],
            ["relay_domain": "privaterelay.appleid.com"], ["refresh_tokens": "one"],
            ["code_reuse": "accepted"], ["issuer": .string(oddText())], ["key_id_length": 6],
        ]
        _ = try await box.apple.changeSwitches(pick(changes) ?? [:])
    }

    private mutating func changeSettings() async throws {
        try await box.changeSettings([
            "duplicates": .integer(number(0...2)), "delay_seconds": .integer(number(0...90)),
            "account_deletion": coin() ? "account-deleted" : "account-delete",
            "retry_after_seconds": [.integer(number(0...60))],
        ])
    }

    private mutating func addFault() async throws {
        var fault: JSONObject = [
            "endpoint": .string(pick(FaultStore.endpointNames) ?? ""),
            "count": .integer(number(1...3)), "body": coin() ? .string(oddText()) : ["a": [.null]],
            "headers": ["X-Odd": coin() ? .null : "\u{e9}"],
        ]
        if coin() { fault["status"] = .integer(number(200...599)) }
        if coin() {
            fault["probability"] = .number(Double(number(1...99)) / 100)
            fault["seed"] = .integer(number(0...Int.max))
        }
        if coin() { fault["skip"] = .integer(number(0...3)) }
        _ = try await box.apple.addFault(fault)
    }

    private mutating func rotate() async throws {
        _ = try await box.apple.rotateSigningKeys(["keep_old": .boolean(coin())])
    }

    private mutating func notify() async throws {
        var order: JSONObject = [
            "type": .string(coin() ? "email-enabled" : oddText()),
            "client_id": .string(try await clientID()),
        ]
        let identities = await box.apple.currentState.people.all.flatMap { $0.identities.values }
        order["sub"] = .string(coin() ? oddText() : pick(identities)?.userID.rawValue ?? "")
        if coin() {
            order["malformed"] = .string(pick(NotificationDefect.allCases)?.rawValue ?? "")
        }
        if coin() { order["email"] = .string(anyAddress()) }
        _ = try await box.apple.sendNotification(order)
    }
}

// MARK: Mail

extension RandomLife {
    private mutating func sendMail() async throws {
        let recipients = [pick(relays) ?? anyAddress(), try await person(), anyAddress()]
        let sender = pick([Box.sender, anyAddress(), nil]) ?? nil
        var content = Data("From: \(oddText()) <\(anyAddress())>\r\n".utf8)
        content += Data("Subject: \(oddText())\r\n\r\n\(oddText())\r\n".utf8)
        if coin() { content += Data([0xFF, 0x00, 0x0D, 0x0A]) }
        let recipient = pick(recipients) ?? ""
        _ = await box.apple.receiveMail(content, from: sender, to: [recipient])
    }

    private mutating func handMailOn() async {
        await box.apple.handMailOn()
        guard let mail = await box.apple.takeOutgoingMail() else { return }
        // Sometimes no result is recorded.
        guard coin() else { return }
        let answer = "250 " + oddText()
        await box.apple.recordOutgoingMail(mail.number, answer: answer, wasTaken: coin())
    }
}

// MARK: Chance

extension RandomLife {
    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.randomElement(using: &chance)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &chance) }

    mutating func coin() -> Bool { chance.chance(0.5) }

    /// Texts that one reader or another takes for something else.
    mutating func oddText() -> String {
        pick([
            "Maya", "M\u{e4}ya \u{1F34F}", "e\u{301}", "\u{e9}", "\u{130}I\u{131}", "\u{212A}",
            "\u{202E}rtl", "null", "7", "1e400", "\"quoted\"", "back\\slash", "a\r\nb", "a\rb\n",
            "\u{0}", "a\u{81}b", "\u{7F}", "\u{FEFF}BOM", "\u{FFFE}", "\u{2028}", " ", "",
            String(repeating: "x", count: 600), "<script>", "%00+&=;",
        ]) ?? ""
    }

    /// A user's email address, or an unusual one.
    mutating func anyAddress() -> String {
        pick([
            "maya@example.com", "NOAH@example.com", "p\(number(0...40))@example.com",
            "p\(number(0...40))@School.example.com", "\"a\u{81}b\"@example.com",
            "\"a b\"@example.com", "\"\\\\\"@example.com", "\u{e9}\(number(0...3))@example.com",
            "e\u{301}\(number(0...3))@example.com", "\u{130}@example.com", "\u{212A}@example.com",
            "a@\u{130}.example.com", "a@m\u{fc}ll.example", "a@[127.0.0.1]",
            String(repeating: "l", count: 64) + "@example.com", "a+b@example.com",
            "o'x@example.com",
        ]) ?? ""
    }
}
