#if Vapor
    import Logging
    import SignInWithApple
    import Vapor

    /// Runs `AppleTokens` while the server serves requests, and not with other commands such as `migrate`.
    ///
    /// Add it with `app.lifecycle.use(AppleTokensLifecycle(tokens))`.
    public struct AppleTokensLifecycle<Store: AppleTokenStore>: LifecycleHandler {
        private struct Running: StorageKey {
            typealias Value = Task<Void, any Error>
        }

        private let tokens: AppleTokens<Store>

        /// Creates the handler.
        ///
        /// - Parameter tokens: the service.
        public init(_ tokens: AppleTokens<Store>) { self.tokens = tokens }

        /// Starts the service if the command is `serve`, Vapor's default.
        public func didBoot(_ application: Application) throws {
            let command = application.environment.commandInput.arguments.first ?? "serve"
            guard command == "serve" || command.hasPrefix("-") else { return }
            application.storage[Running.self] = Task { try await tokens.run() }
        }

        /// Stops the service.
        public func shutdown(_ application: Application) {
            application.storage[Running.self]?.cancel()
        }

        /// Stops the service; of a request that is under way, the next server repeats it.
        public func shutdownAsync(_ application: Application) async {
            application.storage[Running.self]?.cancel()
            _ = await application.storage[Running.self]?.result
        }
    }
#endif
