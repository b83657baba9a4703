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

/// The emulator on its ports, Apple's own, the one that controls it and the mail relay's, and the
/// sender of its notifications.
package struct AppleEmulatorService: Service {
    /// How long a connection may stay without a request before it is closed, in seconds.
    static let maximumIdleSeconds: Int64 = 75

    /// How many connections each HTTP port has at a time; others wait until one ends.
    static let maximumConnectionCount = 1_000

    /// The largest head that Apple's port reads, in bytes; what is over its own limits it refuses.
    static let maximumHeadByteCount = 256 * 1024

    private let emulator: AppleEmulator
    private let configuration: AppleEmulatorServiceConfiguration
    private let tls: TLSListener?
    private let time: TimeSource
    private let logger: Logger
    private let onReady: @Sendable (EmulatorAddresses) async -> Void
    private let stateFolder: StateFolder?

    /// Makes the service; `run` starts it.
    package init(
        emulator: AppleEmulator,
        configuration: AppleEmulatorServiceConfiguration,
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

    /// Makes the service; `run` starts it.
    package init(
        emulator: AppleEmulator,
        configuration: AppleEmulatorServiceConfiguration = AppleEmulatorServiceConfiguration(),
        logger: Logger
    ) {
        self.init(
            emulator: emulator,
            configuration: configuration,
            logger: logger,
            onReady: { _ in }
        )
    }

    /// Serves all ports until the task is cancelled or asked to shut down.
    package func run() async throws {
        let readiness = Readiness(
            host: configuration.host,
            controlHost: configuration.controlHost,
            smtpHost: configuration.smtpPort == nil ? nil : configuration.smtpHost,
            tlsHost: tls?.host,
            certificatePath: tls?.certificatePath,
            onReady: onReady
        )
        let renderer = try PageRenderer()
        let worlds = Worlds(unnamed: emulator, time: time)
        let apple = applePort(WorldAnswers(worlds: worlds, renderer: renderer))
        let control = WorldControl(
            worlds: worlds,
            renderer: renderer,
            allowedHosts: configuration.controlHosts,
            addresses: { readiness.addresses }
        )
        let group = try ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: keepers + [
                    appleServer(apple, readiness), controlServer(control, readiness),
                    NotificationSender(emulator: emulator, time: time, logger: logger),
                    WorldSenders(
                        worlds: worlds,
                        server: configuration.onwardSMTP,
                        time: time,
                        logger: logger
                    ),
                ] + mailServices(worlds, readiness) + secureServices(apple, readiness),
                logger: logger
            )
        )
        try await group.run()
    }

    /// They stand before the servers, and so end after them: the last answer is kept too.
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
                onRunning: { await readiness.mailStarted(port: $0) }
            )
            services.append(receiver)
        }
        if let server = configuration.onwardSMTP {
            let sender = MailSender(emulator: emulator, server: server, time: time, logger: logger)
            services.append(sender)
        }
        return services
    }

    private func appleServer(
        _ apple: ApplePort,
        _ readiness: Readiness
    ) -> some ApplicationProtocol {
        Application(
            responder: apple,
            server: appleServerBuilder,
            configuration: Self.application(
                at: .hostname(configuration.host, port: configuration.port)
            ),
            onServerRunning: { await readiness.appleStarted(port: $0.localAddress?.port) },
            logger: logger
        )
    }

    private func applePort(_ answers: WorldAnswers) -> ApplePort {
        ApplePort(time: time) { await answers.answer($0, $1) }
    }

    /// Reads larger heads than Apple's port takes, so that it can say what is wrong with them.
    private var appleServerBuilder: HTTPServerBuilder {
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

    private func secureServices(
        _ apple: ApplePort,
        _ readiness: Readiness
    ) throws -> [any Service] {
        guard let tls else { return [] }
        let certificates = try CertificateStore(authority: tls.authority, time: tls.time)
        let server = Application(
            responder: AppleHostsOnly(port: apple),
            server: try .tls(appleServerBuilder, tlsConfiguration: certificates.configuration),
            configuration: Self.application(at: .hostname(tls.host, port: tls.port)),
            onServerRunning: { await readiness.tlsStarted(port: $0.localAddress?.port) },
            logger: logger
        )
        return [server]
    }

    private func controlServer(
        _ control: WorldControl,
        _ readiness: Readiness
    ) -> some ApplicationProtocol {
        Application(
            responder: control,
            server: Self.server,
            configuration: Self.application(
                at: .hostname(configuration.controlHost, port: configuration.controlPort)
            ),
            onServerRunning: { await readiness.controlStarted(port: $0.localAddress?.port) },
            logger: logger
        )
    }

    private static func application(at address: BindAddress) -> ApplicationConfiguration {
        ApplicationConfiguration(
            address: address,
            availableConnectionsDelegate: MaximumAvailableConnections(maximumConnectionCount)
        )
    }

    private static var server: HTTPServerBuilder {
        .http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: StrictHTTP.handlers() + [ClientPresence()],
                idleTimeout: .seconds(maximumIdleSeconds)
            )
        )
    }
}
