import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
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
        (self.emulator, self.configuration, self.tls) = (emulator, configuration, tls)
        (self.stateFolder, self.time, self.logger) = (stateFolder, time, logger)
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
        // A client of Apple's own host names can't send a prefix.
        let secure = ApplePort(time: time) { await answers.answer($0, $1, in: worlds.unnamed) }
        let control = ControlPort(
            worlds: worlds,
            renderer: renderer,
            allowedHosts: configuration.controlHosts,
            addresses: { readiness.addresses }
        )
        .responder
        let senders = WorldSenders(
            worlds: worlds,
            server: configuration.onwardSMTP,
            time: time,
            logger: logger
        )
        let certificates = try tls.map {
            try CertificateStore(authority: $0.authority, time: $0.time).configuration
        }
        let services =
            try keepers + [
                server(
                    .apple,
                    configuration.host,
                    configuration.port,
                    apple,
                    appleWire,
                    readiness
                ),
                server(
                    .control,
                    configuration.controlHost,
                    configuration.controlPort,
                    control,
                    Self.controlWire,
                    readiness
                ),
                NotificationSender(emulator: emulator, time: time, logger: logger), senders,
            ] + mailServices(worlds, certificates, readiness)
            + secureServices(secure, certificates, readiness)
        try await ServiceGroup(services: services, logger: logger).run()
    }

    /// They start before the servers and stop after them, which saves the last change too.
    private var keepers: [any Service] {
        guard let stateFolder else { return [] }
        return [StateKeeper(emulator: emulator, folder: stateFolder, time: time, logger: logger)]
    }

    private func mailServices(
        _ worlds: Worlds,
        _ certificates: TLSConfiguration?,
        _ readiness: Readiness
    ) throws -> [any Service] {
        var services: [any Service] = []
        if let port = configuration.smtpPort {
            let receiver = MailReceiver(
                worlds: worlds,
                host: configuration.smtpHost,
                port: port,
                tls: try certificates.map { try NIOSSLContext(configuration: $0) },
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
    ) throws -> any Service {
        // Hummingbird's application would replace the emulator's `Date` by the machine's.
        try wire.buildServer(
            configuration: ServerConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    Self.maximumConnectionCount
                )
            ),
            eventLoopGroup: .singletonMultiThreadedEventLoopGroup,
            logger: logger,
            responder: { [logger, time] request, writer, channel in
                let context = PortContext(
                    source: ApplicationRequestContextSource(channel: channel, logger: logger)
                )
                var response: Response
                do {
                    response = try await responder.respond(to: request, context: context)
                } catch let error as HTTPParserError {
                    throw error
                } catch {
                    logger.error("a request failed", metadata: ["error": "\(error)"])
                    response = Response(status: .internalServerError)
                }
                if response.headers[.date] == nil { response.headers[.date] = time.now.httpText }
                try await writer.write(response: response.head, body: response.body)
            },
            onServerRunning: { await readiness.started(name, at: $0.localAddress?.port) }
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

    private func secureServices(
        _ apple: ApplePort,
        _ certificates: TLSConfiguration?,
        _ readiness: Readiness
    ) throws -> [any Service] {
        guard let tls, let certificates else { return [] }
        let wire: HTTPServerBuilder = try .tls(appleWire, tlsConfiguration: certificates)
        return [try server(.tls, tls.host, tls.port, AppleHostsOnly(port: apple), wire, readiness)]
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
