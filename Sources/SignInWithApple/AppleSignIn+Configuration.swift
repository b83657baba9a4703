import AppleIdentity
import CoreMetrics
import Instrumentation
import Logging
import Tracing

extension AppleSignIn {
    /// What a server needs to know to sign people in with Apple.
    public struct Configuration: Sendable {
        /// The bundle identifiers and Services IDs of this server: whom tokens may be meant for.
        public var clientIDs: [ClientID]
        /// Which of the clients are Services IDs; nil when unsaid.
        ///
        /// It only sharpens the explanations of Apple's refusals.
        public var servicesIDs: Set<ClientID>?
        /// The key that client secrets are signed with; verifying alone needs none.
        public var key: ClientSecretKey?
        /// Where Apple is; an emulated one has another address, and every check stays.
        public var service: AppleService
        /// The domains whose addresses are relay addresses, whatever `is_private_email` says.
        public var relayDomains = RelayDomains.apple
        /// Where failures that no caller sees are told, such as keys that could not be refreshed.
        public var logger: Logger
        /// Where verifications, Apple's keys and requests to Apple are measured.
        public var metrics: any MetricsFactory = MetricsSystem.factory
        /// Who is told of spans; the requests to Apple carry the trace.
        public var tracer: (any Tracer)? = InstrumentationSystem.tracer

        /// Describes a server.
        ///
        /// - Parameters:
        ///   - clientIDs: its bundle identifiers and Services IDs.
        ///   - key: the key that client secrets are signed with; nil when tokens are only verified.
        ///   - service: where Apple is.
        ///   - logger: where failures that no caller sees are told.
        public init(
            clientIDs: [ClientID],
            key: ClientSecretKey? = nil,
            service: AppleService = .apple,
            logger: Logger = Logger(label: "sign-in-with-apple")
        ) {
            self.clientIDs = clientIDs
            self.key = key
            self.service = service
            self.logger = logger
        }
    }
}
