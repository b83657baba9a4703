import AppleIdentity
import Foundation

/// The facts that a run has learnt about the server from ordinary sign-ins, for the checks.
package struct CheckContext: Sendable {
    let target: CheckTarget
    let client: WebClient
    let apple: EmulatedApple
    let time: TimeSource
    let registration: CheckRegistration
    let identityDetector: IdentityDetector
    let victim: CheckPerson
    /// The victim's `sub`.
    let victimID: String
    let attacker: CheckPerson
    /// The victim's first, ordinary sign-in, with a browser that is signed in.
    let usual: Visit
    /// The browsers' rules for `SameSite`, with which an ordinary sign-in works.
    let rules: SameSiteRules
    /// Whether a valid notification ends a session; nil until that was tried.
    let heedsNotifications = LockedValue<Bool?>(nil)

    /// Whether the server reads the posted identity token; nil until that was tried.
    let postedTokenIsRead = LockedValue<Bool?>(nil)

    var asksIdentityToken: Bool { (usual.request["response_type"] ?? "").contains("id_token") }

    var asksAddress: Bool { (usual.request["scope"] ?? "").split(separator: " ").contains("email") }

    /// Whether the request to Apple binds the response to this browser by a nonce or PKCE, too.
    var hasNonceOrPKCE: Bool {
        usual.request["nonce"] != nil || usual.request["code_challenge"] != nil
    }

    /// A browser without cookies.
    func newVisit() -> Visit { Visit(target, client: client, rules) }

    /// Begins a sign-in with a new browser, and decides on Apple's page.
    func visit(
        as person: CheckPerson,
        switches: JSONObject? = nil,
        choice: JSONObject = [:]
    ) async throws(CheckError) -> (visit: Visit, answer: AppleAnswer) {
        var visit = newVisit()
        try await visit.begin()
        var decision: JSONObject = ["person": .string(person.email), "email": "share"]
        for member in choice.members { decision[member.name] = member.value }
        let answer = try await visit.decide(apple, decision, switches: switches)
        return (visit, answer)
    }

    /// Continues as the victim on Apple's page, in a browser that has begun a sign-in.
    func consent(_ visit: inout Visit) async throws(CheckError) -> AppleAnswer {
        try await visit.decide(apple, ["person": .string(victim.email), "email": "share"])
    }

    /// Creates a user at the emulator who is new to the server.
    func newPerson(
        _ role: String,
        isVerified: Bool = true
    ) async throws(CheckError) -> CheckPerson {
        let person = CheckPerson(role, isVerified: isVerified)
        try await apple.add(person)
        return person
    }

    /// Completes an ordinary sign-in.
    func signIn(_ person: CheckPerson) async throws(CheckError) -> Visit {
        var (visit, answer) = try await visit(as: person)
        let reply = try await deliver(&visit, answer)
        guard try await who(&visit) != .anonymous else {
            throw .noUsualSignIn(": \(Self.words(for: reply))")
        }
        return visit
    }

    /// Signs in the victim; a refusal of an attack counts only if this works right afterwards.
    func control() async throws(CheckError) {
        var visit = try await signIn(victim)
        guard identityDetector.tellsPeople, try await who(&visit) != .victim else { return }
        throw CheckError(
            "after an ordinary sign-in \(target.whoAmI.absoluteString) no longer shows the victim",
            hint: "check whether another user's sign-in changed the victim's account"
        )
    }

    /// Delivers Apple's response to the server, and throws if the server is overloaded.
    func deliver(
        _ visit: inout Visit,
        _ answer: AppleAnswer
    ) async throws(CheckError) -> WebAnswer {
        let reply = try await visit.deliver(answer)
        guard !reply.isOverload else {
            throw .overload("the callback \(answer.url.absoluteString)", reply.status)
        }
        return reply
    }

    /// Tries each variant of an attack, up to the first whose check does not pass.
    func each<Spelling>(
        _ spellings: [Spelling],
        _ examine: (Spelling) async throws(CheckError) -> Finding
    ) async throws(CheckError) -> Finding {
        var finding = Finding.holds("")
        for spelling in spellings {
            finding = try await examine(spelling)
            guard finding.verdict == .holds else { return finding }
        }
        return finding
    }

    func pause() async throws(CheckError) { try await time.pause(for: .milliseconds(100)) }

    /// Waits until a condition is true, with about ten tests a second, and returns whether it became true.
    func waits(
        seconds: Double,
        until condition: () async throws(CheckError) -> Bool
    ) async throws(CheckError) -> Bool {
        let end = time.now.addingTimeInterval(seconds)
        while true {
            if try await condition() { return true }
            guard time.now < end else { return false }
            try await pause()
        }
    }

    /// Waits for the first half of a second.
    ///
    /// Tokens have whole seconds, so a sign-in that ends in a later second than it began would be newer than the event
    /// that Apple reports about it.
    func waitForNewSecond() async throws(CheckError) {
        while isLateInSecond { try await pause() }
    }

    private var isLateInSecond: Bool {
        time.now.timeIntervalSince1970.truncatingRemainder(dividingBy: 1) > 0.5
    }

    func who(_ visit: inout Visit) async throws(CheckError) -> SignedIn {
        identityDetector.who(try await visit.look())
    }

    /// The finding that an attack was refused, if an ordinary sign-in works right afterwards.
    func refused(_ reply: WebAnswer) async throws(CheckError) -> Finding {
        try await control()
        return .holds("no user is signed in: \(Self.words(for: reply))")
    }

    /// Delivers a response that must not sign in the browser.
    func expectNobody(_ visit: Visit, _ answer: AppleAnswer) async throws(CheckError) -> Finding {
        var visit = visit
        let reply = try await deliver(&visit, answer)
        switch try await who(&visit) {
        case .anonymous: return try await refused(reply)
        case .victim: return .fails("the browser is signed in as the victim")
        case .attacker: return .fails("the browser is signed in as the attacker")
        case .somebody: return .fails("the browser is signed in")
        }
    }

    /// Delivers a response that must not open the victim's account.
    func expectNoVictim(_ visit: Visit, _ answer: AppleAnswer) async throws(CheckError) -> Finding {
        guard identityDetector.tellsPeople else { return .notExamined(Self.noNames) }
        var visit = visit
        let reply = try await deliver(&visit, answer)
        switch try await who(&visit) {
        case .anonymous: return try await refused(reply)
        case .victim: return .fails("the browser is signed in as the victim")
        case .attacker, .somebody:
            return .holds(
                "the token was ignored: the browser is signed in to the attacker's own account"
            )
        }
    }

    /// Delivers a response that must sign in the browser.
    func expectSignIn(
        _ visit: inout Visit,
        _ answer: AppleAnswer
    ) async throws(CheckError) -> Finding {
        let reply = try await deliver(&visit, answer)
        guard try await who(&visit) == .anonymous else { return .holds("the browser is signed in") }
        try await control()
        return .fails("no user is signed in: \(Self.words(for: reply))")
    }

    static let noNames = "the --signed-in page shows nothing that distinguishes users"

    /// The server's response, in words.
    static func words(for reply: WebAnswer) -> String {
        guard let location = reply.location else { return "responded with \(reply.status)" }
        return "responded with \(reply.status) and redirected to \(location.path())"
    }
}
