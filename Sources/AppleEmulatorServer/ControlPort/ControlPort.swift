import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import HTTPTypes
import Hummingbird

/// The port that registers, decides, breaks and watches: for tests and for people at this machine.
struct ControlPort {
    private let emulator: AppleEmulator
    private let console: Console
    private let flowPages: FlowPages
    private let allowedHosts: [String]
    private let addresses: @Sendable () -> EmulatorAddresses?

    /// - Parameters:
    ///   - emulator: what it controls.
    ///   - renderer: draws the console and the flows.
    ///   - allowedHosts: names and addresses it answers to besides those of loopback.
    ///   - addresses: where the emulator's ports are, once they are there.
    init(
        emulator: AppleEmulator,
        renderer: PageRenderer,
        allowedHosts: [String] = [],
        addresses: @escaping @Sendable () -> EmulatorAddresses?
    ) {
        self.emulator = emulator
        self.allowedHosts = allowedHosts
        self.addresses = addresses
        console = Console(emulator: emulator, renderer: renderer, addresses: addresses)
        flowPages = FlowPages(emulator: emulator, renderer: renderer)
    }

    var responder: some HTTPResponder<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: ControlGuard(allowedHosts: allowedHosts))
        router.add(middleware: UnknownPath())
        for route in registering + people + steering + notifying + mailing + watching
            + flowPages.routes
        {
            route.add(to: router)
        }
        console.add(to: router)
        StateRoutes(emulator: emulator).add(to: router)
        return router.buildResponder()
    }

    private var registering: [ControlRoute] {
        SeedKind.allCases.map { kind in
            ControlRoute(
                RouterPath(kind.section.replacing("_", with: "-")),
                [
                    .post: { request in
                        let outcome = try await emulator.add(kind, request.object)
                        return outcome.isNew ? .made(outcome.object) : .found(outcome.object)
                    }
                ]
            )
        }
    }

    private var people: [ControlRoute] {
        [
            ControlRoute("people/{email}", [.delete: deletePerson]),
            ControlRoute(
                "people/{email}/device",
                [
                    .get: {
                        let clientID = try $0.optionalQuery("client_id")
                        return .found(try await emulator.device(of: $0.email(), clientID: clientID))
                    },
                    .post: { .found(try await emulator.signInToDevice($0.email(), $0.object)) },
                ]
            ),
            ControlRoute("people/{email}/credentials", [.post: makeCredentials]),
            ControlRoute("people/{email}/credential-state", [.get: tellCredentialState]),
            ControlRoute("people/{email}/stop-using", [.post: stopUsing]),
            ControlRoute("people/{email}/forwarding", [.post: setForwarding]),
            ControlRoute(
                "people/{email}/password",
                [
                    .post: {
                        try await emulator.changePassword(of: $0.email(), $0.object)
                        return .done
                    }
                ]
            ),
        ]
    }

    private var steering: [ControlRoute] {
        [
            ControlRoute("reset", [.post: reset]),
            ControlRoute(
                "authorizations/next",
                [.post: { .made(try await emulator.decideNext($0.object)) }]
            ),
            ControlRoute(
                "signing-keys/rotate",
                [.post: { .found(try await emulator.rotateSigningKeys($0.object)) }]
            ),
            ControlRoute(
                "transfers",
                [.post: { .made(try await emulator.transfer($0.object)) }]
            ),
            ControlRoute("clock", [.post: { .found(try await emulator.moveClock($0.object)) }]),
            ControlRoute(
                "switches",
                [
                    .get: { _ in .found(await emulator.switches()) },
                    .patch: { .found(try await emulator.changeSwitches($0.object)) },
                    .delete: { _ in .found(try await emulator.resetSwitches()) },
                ]
            ),
            ControlRoute(
                "faults",
                [
                    .get: { _ in .found(await listFaults()) },
                    .post: { .made(try await emulator.addFault($0.object)) },
                    .delete: { _ in
                        await emulator.clearFaults()
                        return .done
                    },
                ]
            ),
        ]
    }

    private var notifying: [ControlRoute] {
        [
            ControlRoute(
                "notifications",
                [
                    .get: { _ in .found(await listNotifications()) },
                    .post: { .made(try await emulator.sendNotification($0.object)) },
                ]
            ),
            ControlRoute(
                "notifications/settings",
                [
                    .get: { _ in .found(await emulator.notificationSettings()) },
                    .post: { .found(try await emulator.changeNotificationSettings($0.object)) },
                ]
            ),
        ]
    }

    private var mailing: [ControlRoute] {
        [
            ControlRoute(
                "mail",
                [
                    .get: { .found(try await emulator.mail(of: $0.optionalQuery("person"))) },
                    .delete: { _ in
                        await emulator.clearMail()
                        return .done
                    },
                ]
            ),
            ControlRoute(
                "mail/{id}",
                [.get: { .found(try await emulator.mail(id: $0.parameter("id"))) }]
            ),
            ControlRoute(
                "mail/{id}/reply",
                [
                    .post: {
                        .made(try await emulator.replyToMail(id: $0.parameter("id"), $0.object))
                    }
                ]
            ),
        ]
    }

    private var watching: [ControlRoute] {
        [
            ControlRoute("health", [.get: tellHealth]),
            ControlRoute("state", [.get: { _ in .found(await emulator.state()) }]),
            ControlRoute("requests", [.get: { _ in .found(await listRequests()) }]),
        ]
    }

    @Sendable private func tellHealth(_ request: ControlRequest) throws -> ControlAnswer {
        guard addresses() != nil else { throw ControlProblem.starting }
        return .found(["status": "ok"])
    }

    @Sendable private func reset(_ request: ControlRequest) async throws -> ControlAnswer {
        try request.allow([])
        try await emulator.reset()
        return .found(await emulator.state())
    }

    @Sendable private func deletePerson(_ request: ControlRequest) async throws -> ControlAnswer {
        try await emulator.deletePerson(request.email())
        return .done
    }

    @Sendable private func makeCredentials(_ request: ControlRequest) async throws -> ControlAnswer
    {
        .made(try await emulator.credentials(for: request.email(), request.object))
    }

    @Sendable
    private func tellCredentialState(_ request: ControlRequest) async throws -> ControlAnswer {
        let state = try await emulator.numberedCredentialState(
            of: request.email(),
            clientID: request.query("client_id"),
            user: request.optionalQuery("user")
        )
        return .found(["state": .string(state.rawValue), "number": .integer(state.number)])
    }

    @Sendable private func stopUsing(_ request: ControlRequest) async throws -> ControlAnswer {
        try request.allow(["client_id"])
        let (email, clientID) = (try request.email(), try request.text("client_id"))
        try await emulator.stopUsing(email, clientID: clientID)
        let state = try await emulator.credentialState(of: email, clientID: clientID)
        return .found(["client_id": .string(clientID), "state": .string(state)])
    }

    @Sendable private func setForwarding(_ request: ControlRequest) async throws -> ControlAnswer {
        try request.allow(["client_id", "enabled"])
        let clientID = try request.text("client_id")
        let isEnabled = try request.boolean("enabled")
        try await emulator.setForwarding(request.email(), clientID: clientID, enabled: isEnabled)
        return .found(["client_id": .string(clientID), "enabled": .boolean(isEnabled)])
    }

    private func listNotifications() async -> JSONObject {
        ["notifications": .array(await emulator.notifications().map { .object($0) })]
    }

    private func listFaults() async -> JSONObject {
        ["faults": .array(await emulator.faults().map { .object($0) })]
    }

    private func listRequests() async -> JSONObject {
        ["requests": .array(await emulator.requests().map { .object($0) })]
    }
}
