import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import ServiceLifecycle
import StrictHTTP

/// Runs the emulator's servers (Apple's port, the control port, the mail relay) and its senders.
package struct AppleEmulatorService: Service {
    /// The seconds after which a connection without a request is closed.
    static let maximumIdleSeconds: Int64 = 75

    /// The connections that each HTTP port accepts at a time; others wait.
    static let maximumConnectionCount = 1_000

    /// The largest request head that Apple's port reads, in bytes; its own limits are lower.
    static let maximumHeadByteCount = 256 * 1024

    private let emulator: AppleEmulator
    private let configuration: AppleEmulatorServiceConfiguration
    private let tls: TLSListener?
    private let time: TimeSource
    private let logger: Logger
    private let onReady: @Sendable (EmulatorAddresses) async -> Void
    private let stateFolder: StateFolder?

    package init(
        emulator: AppleEmulator,
        configuration: AppleEmulatorServiceConfiguration = AppleEmulatorServiceConfiguration(),
        tls: TLSListener? = nil,
        stateFolder: StateFolder? = nil,
        time: TimeSource = .live,
        logger: Logger,
        onReady: @escaping @Sendable (EmulatorAddresses) async -> Void = { _ in }
    ) {
        self.emulator = emulator
        self.configuration = configuration
        self.tls = tls
        self.stateFolder = stateFolder
        self.time = time
        self.logger = logger
        self.onReady = onReady
    }

    package func run() async throws {
        var hosts = [
            Readiness.Server.apple: configuration.host, .control: configuration.controlHost,
        ]
        if configuration.smtpPort != nil { hosts[.mail] = configuration.smtpHost }
        hosts[.tls] = tls?.host
        let readiness = Readiness(
            hosts: hosts,
            certificatePath: tls?.certificatePath,
            onReady: onReady
        )
        let renderer = try EmulatorPageRenderer()
        let worlds = Worlds(unnamed: emulator, time: time)
        let answers = WorldAnswers(
            worlds: worlds,
            renderer: renderer,
            console: { readiness.addresses?.control }
        )
        let apple = ApplePort(time: time) { await answers.answer($0, $1) }
        let control = WorldControl(
            worlds: worlds,
            renderer: renderer,
            allowedHosts: configuration.controlHosts,
            addresses: { readiness.addresses }
        )
        let senders = WorldSenders(
            worlds: worlds,
            server: configuration.onwardSMTP,
            time: time,
            logger: logger
        )
        let services =
            keepers + [
                server(.apple, configuration.host, configuration.port, apple, appleWire, readiness),
                server(
                    .control,
                    configuration.controlHost,
                    configuration.controlPort,
                    control,
                    Self.controlWire,
                    readiness
                ),
                NotificationSender(emulator: emulator, time: time, logger: logger), senders,
            ] + mailServices(worlds, readiness) + (try secureServices(apple, readiness))
        try await ServiceGroup(services: services, logger: logger).run()
    }

    /// They start before the servers and stop after them, which saves the last change too.
    private var keepers: [any Service] {
        guard let stateFolder else { return [] }
        return [StateKeeper(emulator: emulator, folder: stateFolder, time: time, logger: logger)]
    }

    private func mailServices(_ worlds: Worlds, _ readiness: Readiness) -> [any Service] {
        var services: [any Service] = []
        if let port = configuration.smtpPort {
            let receiver = MailReceiver(
                worlds: worlds,
                host: configuration.smtpHost,
                port: port,
                logger: logger,
                onRunning: { await readiness.started(.mail, at: $0) }
            )
            services.append(receiver)
        }
        if let server = configuration.onwardSMTP {
            let sender = OutgoingMailSender(
                emulator: emulator,
                server: server,
                time: time,
                logger: logger
            )
            services.append(sender)
        }
        return services
    }

    private func server(
        _ name: Readiness.Server,
        _ host: String,
        _ port: Int,
        _ responder: some HTTPResponder<PortContext>,
        _ wire: HTTPServerBuilder,
        _ readiness: Readiness
    ) -> any Service {
        Application(
            responder: responder,
            server: wire,
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    Self.maximumConnectionCount
                )
            ),
            onServerRunning: { await readiness.started(name, at: $0.localAddress?.port) },
            logger: logger
        )
    }

    /// Reads larger heads than Apple's port accepts, because it can then report what is wrong.
    private var appleWire: HTTPServerBuilder {
        .http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: StrictHTTP.handlers() + [
                    UnreadableRequests { [emulator] problem in
                        Task { await emulator.recordUnreadableRequest(problem) }
                    }
                ],
                idleTimeout: .seconds(Self.maximumIdleSeconds),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: Self.maximumHeadByteCount,
                    maxHeaderListSize: Self.maximumHeadByteCount
                )
            )
        )
    }

    private func secureServices(_ apple: ApplePort, _ readiness: Readiness) throws -> [any Service]
    {
        guard let tls else { return [] }
        let certificates = try CertificateStore(authority: tls.authority, time: tls.time)
        let wire: HTTPServerBuilder = try .tls(
            appleWire,
            tlsConfiguration: certificates.configuration
        )
        return [server(.tls, tls.host, tls.port, AppleHostsOnly(port: apple), wire, readiness)]
    }

    private static var controlWire: HTTPServerBuilder {
        .http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: StrictHTTP.handlers() + [ClientPresence()],
                idleTimeout: .seconds(maximumIdleSeconds)
            )
        )
    }
}
