import AppleIdentity
import Foundation
import HTTPTypes

/// The complete state of an emulator; the actor has one, and its extensions are the rules.
struct EmulatorState: Sendable {
    let configuration: EmulatorConfiguration
    var clock: EmulatorClock
    /// The time of the current request; nil between requests.
    private var requestTime: Date?
    var signingKeys: SigningKeyRing
    var registry = ClientRegistry()
    var people = PeopleDirectory()
    var authorizations = AuthorizationStore()
    var grants = GrantStore()
    var verifiedSecrets = VerifiedSecrets()
    var transfers: TransferStore
    var faults = FaultStore()
    var switches: EmulatorSwitches
    /// The switches that the current request, or the sign-in it belongs to, sets for itself.
    var requestedSwitches: JSONObject = [:]
    /// The switches after a reset.
    let seededSwitches: EmulatorSwitches
    /// The decision for the current request only.
    var decision: QueuedDecision?
    var refreshes = RefreshStore()
    var notificationSettings: NotificationSettings
    var deliveries = DeliveryStore()
    var mail = MailStore()
    var flows = FlowStore()
    var log: RequestLog

    init(
        seed: Seed,
        configuration: EmulatorConfiguration,
        signingKeys: SigningKeyRing,
        time: TimeSource
    ) throws(ControlRefusal) {
        self.configuration = configuration
        self.signingKeys = signingKeys
        clock = EmulatorClock(source: time)
        transfers = TransferStore(identifierKey: configuration.identifierKey)
        notificationSettings = seed.notificationSettings
        log = RequestLog(maximumEntryCount: configuration.maximumRequestLogCount)
        var switches = EmulatorSwitches(configuration)
        try switches.change(seed.switches)
        self.switches = switches
        seededSwitches = switches
        try add(seed, isStart: true)
    }

    mutating func add(_ seed: Seed, isStart: Bool) throws(ControlRefusal) {
        for team in seed.teams { _ = try registry.add(team) }
        for app in seed.apps where app.primaryClientID == nil { _ = try add(app) }
        for app in seed.apps where app.primaryClientID != nil { _ = try add(app) }
        for service in seed.services { _ = try registry.add(service) }
        for key in seed.keys { _ = try registry.add(key) }
        for person in seed.people {
            try registry.check(person)
            _ = try people.add(person, isSeeded: isStart)
        }
        for source in seed.mailSources { _ = try mail.sources.add(source, teams: registry.teams) }
        for fault in seed.faults { _ = try faults.add(Fault(fault)) }
    }

    /// Adds an app; a strict emulator accepts no notification URL on this machine.
    mutating func add(_ app: SeedApp) throws(ControlRefusal) -> AddOutcome {
        try checkNotificationURL(of: app)
        return try registry.add(app)
    }

    func checkNotificationURL(of app: SeedApp) throws(ControlRefusal) {
        if let url = app.notificationURL,
            let fault = NotificationAddress.registrationFault(url, isStrict: configuration.isStrict)
        {
            throw .wrong("notification_url", fault)
        }
    }

    /// The emulator's time, which is constant during a request.
    var now: Date { requestTime ?? clock.now }

    /// Handles a request with a decision for this request only.
    mutating func respond(
        to request: HTTPRequest,
        deciding object: JSONObject
    ) throws(ControlRefusal) -> EmulatorAnswer {
        decision = try QueuedDecision(object, people: people, registry: registry)
        defer { decision = nil }
        return respond(to: request, body: .success(Data()))
    }

    /// Handles and records a request; a failure says why its body was not read.
    mutating func respond(
        to request: HTTPRequest,
        body: Result<Data, RequestProblem>
    ) -> EmulatorAnswer {
        let target = request.path ?? "/"
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(parts.first ?? "/")
        let query = parts.count > 1 ? String(parts[1]) : ""
        let now = clock.now
        requestTime = now
        defer { requestTime = nil }
        flows.beginRequest()
        var outcome = injectingFaults(request, path: path, query: query, body: body) { state in
            do throws(RequestProblem) {
                let body = try Self.checked(request, body)
                return state.route(request, path: path, query: query, body: body)
            } catch {
                return error.outcome
            }
        }
        if request.method == .head { outcome.answer.keepLengthAlone() }
        if outcome.answer.response.headerFields[.date] == nil {
            outcome.answer.response.headerFields[.date] = clock.dateText(at: now)
        }
        let form = try? body.get()
        let flow = recordFlow(
            request,
            path: path,
            query: query,
            body: form,
            outcome: outcome,
            at: now
        )
        log.add(request.method.rawValue, path: path, outcome, of: flow, at: now)
        return outcome.answer
    }

    /// The body, if the request exceeds no limit.
    private static func checked(
        _ request: HTTPRequest,
        _ body: Result<Data, RequestProblem>
    ) throws(RequestProblem) -> Data {
        if let problem = RequestProblem(request) { throw problem }
        let body = try body.get()
        guard body.count <= AppleEmulator.maximumBodyByteCount else { throw .bodyTooLarge }
        return body
    }

    private mutating func route(
        _ request: HTTPRequest,
        path: String,
        query: String,
        body: Data
    ) -> Outcome {
        switch path {
        case ApplePath.authorize: authorize(request, query: query, body: body)
        case SheetPage.path: sheet(request, body: body)
        case ApplePath.token: token(request, body: body)
        case ApplePath.revoke: revoke(request, body: body)
        case ApplePath.userMigrationInformation: migrationInformation(request, body: body)
        case ApplePath.keys: keys(request)
        case ApplePath.discovery: discovery(request)
        case "/": home(request)
        default:
            account(request, path: path, query: query, body: body)
                ?? webResource(request, path: path, query: query) ?? notFound()
        }
    }

    private func home(_ request: HTTPRequest) -> Outcome {
        guard request.method == .get || request.method == .head else {
            return .methodNotAllowed(request, allowed: "GET")
        }
        return .page(.home)
    }

    private func notFound() -> Outcome {
        let refusal = OAuthRefusal(
            .notFound,
            reason: "Apple has no endpoint at this path",
            status: .notFound
        )
        .hint("the endpoints are in \(ApplePath.discovery)")
        return .refusal(refusal)
    }

    /// Reads the form in a body; a wrong percent-encoding has its own error code.
    func form(
        _ request: HTTPRequest,
        body: Data,
        encodingError: OAuthErrorResponse.Code = .invalidRequest
    ) throws(OAuthRefusal) -> FormFields {
        let type = request.headerFields[.contentType] ?? ""
        let essence = type.prefix { $0 != ";" }.trimmingSuffix(while: \.isWhitespace).lowercased()
        guard essence == "application/x-www-form-urlencoded" else {
            throw .invalidRequest("the content type is \"\(type.prefix(64))\"")
                .hint("send application/x-www-form-urlencoded")
        }
        return try FormFields(parsing: Array(body), encodingError: encodingError)
    }
}

extension BidirectionalCollection {
    package func trimmingSuffix(while isUnwanted: (Element) -> Bool) -> SubSequence {
        var end = endIndex
        while end > startIndex, isUnwanted(self[index(before: end)]) { end = index(before: end) }
        return self[startIndex..<end]
    }
}
