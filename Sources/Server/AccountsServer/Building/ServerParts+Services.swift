import Accounts
import AppleIdentity
import Logging
import ServiceLifecycle
import SignInWithApple

extension ServerParts {
    /// Creates the services that run in the background.
    func services(
        _ store: AccountStore,
        _ outbox: Signal,
        _ maintenance: Signal,
        _ appleClock: AppleClock,
        _ logger: Logger
    ) throws -> [any Service] {
        let worker = OutboxWorker(
            store: store,
            apple: apple,
            mail: try MailSender(configuration),
            sealer: configuration.sealer,
            signal: outbox,
            time: time,
            logger: logger,
            metrics: metrics.factory
        )
        let validation = TokenValidationService(
            store: store,
            apple: apple,
            team: configuration.apple.key?.teamID,
            sealer: configuration.sealer,
            countPerMinute: configuration.validationsPerMinute,
            time: time,
            logger: logger,
            metrics: metrics.factory
        )
        let maintenance = accounts.maintenance(signal: maintenance, appleClock: appleClock)
        return [maintenance, worker, validation, sampler]
    }
}
