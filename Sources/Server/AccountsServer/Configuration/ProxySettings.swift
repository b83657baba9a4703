import SignInWithApple

extension AppleProxy {
    /// Reads `HTTPS_PROXY` and `NO_PROXY`; nil without a proxy.
    init?(_ values: ConfigurationValues) throws(ConfigurationError) {
        guard let url = try values.secret("HTTPS_PROXY") else { return nil }
        do {
            try self.init(url: url, exceptions: values.optional("NO_PROXY") ?? "")
        } catch {
            throw ConfigurationError("HTTPS_PROXY", "can't be used", fix: error.hint)
        }
    }
}
