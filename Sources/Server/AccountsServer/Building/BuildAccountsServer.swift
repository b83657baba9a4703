import Accounts
import AccountsPostgreSQL
import AccountsSQLite
import AppleIdentity
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import SignInWithApple
import StrictHTTP

/// Builds the accounts server for the command and for the tests.
///
/// - Parameters:
///   - configuration: the settings.
///   - metrics: receives the measurements; by default the backend of `MetricsSystem`.
///   - drain: prevents lost connections when the server stops; list it after the server.
///   - logger: logs every request and every error, never a secret.
///   - host: the address to listen on.
///   - port: the port to listen on; 0 picks a free one.
///   - onServerRunning: called with the channel that listens.
/// - Returns: the application; its services include the outbox worker and the store's maintenance.
/// - Throws: when the store cannot be opened or a setting cannot be used.
package func buildAccountsServer(
    configuration: AccountsServerConfiguration,
    metrics: ServerMetrics = .system,
    drain: ListenerDrain? = nil,
    logger: Logger,
    host: String = "127.0.0.1",
    port: Int,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
) async throws -> some ApplicationProtocol {
    let store: AccountStore
    let administeredPath: String?
    switch configuration.database {
    case .sqlite(let path):
        store = try AccountStore(
            SQLiteDatabase(path: path, metrics: metrics.factory, logger: logger)
        )
        administeredPath = path
    case .postgreSQL(let settings):
        store = try await AccountStore(
            PostgreSQLDatabase(settings, metrics: metrics.factory, logger: logger)
        )
        // Commands connect to the database themselves.
        administeredPath = nil
    }
    return try buildAccountsServer(
        configuration: configuration,
        store: store,
        transport: .live(through: configuration.proxy),
        time: .live,
        metrics: metrics,
        drain: drain,
        logger: logger,
        address: .hostname(host, port: port),
        administeredPath: administeredPath,
        onServerRunning: onServerRunning
    )
}

/// Builds the server on an open store; with a path, commands connect to a socket next to that file.
package func buildAccountsServer(
    configuration: AccountsServerConfiguration,
    store: AccountStore,
    transport: AppleTransport,
    time: TimeSource,
    metrics: ServerMetrics = .system,
    drain: ListenerDrain? = nil,
    logger: Logger,
    address: BindAddress,
    administeredPath: String? = nil,
    hasher: PasswordHasher? = nil,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
) throws -> some ApplicationProtocol {
    let logger = CurrentRequest.adding(to: logger)
    let appleClock = AppleClock(time: time)
    let apple = configuration.appleSignIn(appleClock.reading(transport), time, metrics)
    let (outboxSignal, maintenanceSignal) = (Signal(), Signal())
    let accounts = AccountsService(
        store: store,
        sealer: configuration.sealer,
        configuration: configuration.completeRules,
        time: time,
        logger: logger,
        outboxSignal: outboxSignal,
        maintenanceSignal: maintenanceSignal,
        hasher: hasher,
        departure: { await CurrentRequest.departure() },
        metrics: metrics.factory
    )
    let server = try ServerParts(
        configuration: configuration,
        accounts: accounts,
        apple: apple,
        time: time,
        metrics: metrics
    )
    let services = try server.services(store, outboxSignal, maintenanceSignal, appleClock, logger)
    let (router, immediateRoute) = try server.routing()
    let limits = ConnectionLimits(configuration, time: time, logger: logger)
    let administration = administeredPath.flatMap { socket(besides: $0, accounts, time, logger) }
    return Application(
        router: router,
        server: .http1(configuration: channelConfiguration(immediateRoute, limits, drain, logger)),
        configuration: configuration.application(at: address, drain),
        services: services + [administration].compactMap(\.self),
        onServerRunning: { channel in
            drain?.watch(channel)
            // The caller may run a command as soon as the server is reported to run.
            await administration?.ready.wait()
            await onServerRunning(channel)
        },
        logger: logger
    )
}

extension AccountsServerConfiguration {
    /// The library with the metrics backend.
    fileprivate func appleSignIn(
        _ transport: AppleTransport,
        _ time: TimeSource,
        _ metrics: ServerMetrics
    ) -> AppleSignIn {
        var apple = apple
        apple.metrics = metrics.factory
        return AppleSignIn(configuration: apple, transport: transport, time: time)
    }

    fileprivate func application(
        at address: BindAddress,
        _ drain: ListenerDrain?
    ) -> ApplicationConfiguration {
        ApplicationConfiguration(
            address: address,
            backlog: ServerLimits.waitingConnectionCount,
            availableConnectionsDelegate: drain?.arrivals
                .delegate(maximumConnectionCount: maximumConnectionCount)
                ?? MaximumAvailableConnections(maximumConnectionCount)
        )
    }
}

/// Returns nil and logs a warning when the path is too long for a socket.
private func socket(
    besides path: String,
    _ accounts: AccountsService,
    _ time: TimeSource,
    _ logger: Logger
) -> AdministrationSocket? {
    do {
        return try AdministrationSocket(
            besides: path,
            accounts: accounts,
            time: time,
            logger: logger
        )
    } catch {
        logger.warning("siwa commands can't reach this server", metadata: ["hint": "\(error)"])
        return nil
    }
}

private func channelConfiguration(
    _ immediateRoute: ImmediateRoute?,
    _ limits: ConnectionLimits,
    _ drain: ListenerDrain?,
    _ logger: Logger
) -> HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
        additionalChannelHandlers: StrictHTTP.handlers(
            drains: true,
            exchangeSeconds: ServerLimits.exchangeSeconds
        ) + [ClientPresence(), limits.handler()]
            + [immediateRoute.map { ImmediateAnswerInstaller($0, logger: logger) }]
            .compactMap(\.self)
            + [drain?.arrivals.handler()].compactMap(\.self),
        idleTimeout: .seconds(Int64(ServerLimits.connectionIdleSeconds)),
        httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: ServerLimits.maximumHeaderByteCount,
            maxHeaderListSize: ServerLimits.maximumHeaderByteCount,
            maxHeaderFieldCount: ServerLimits.maximumHeaderFieldCount
        )
    )
}
