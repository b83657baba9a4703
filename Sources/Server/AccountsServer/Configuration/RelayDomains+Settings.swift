import AppleIdentity
import SignInWithApple

extension RelayDomains {
    /// The maximum number of additional relay domains.
    private static let maximumCount = 100

    /// Reads Apple's relay domains and those of the settings; throws ``ConfigurationError``.
    init(_ values: ConfigurationValues) throws(ConfigurationError) {
        let name = "SIWA_RELAY_DOMAINS"
        let domains = values.list(name)
        guard domains.count <= Self.maximumCount else {
            throw ConfigurationError(
                name,
                "lists more than \(Self.maximumCount) domains",
                fix: "list only domains in which every email address is a relay address"
            )
        }
        for domain in domains {
            guard domain.wholeMatch(of: /[A-Za-z0-9\-]+(\.[A-Za-z0-9\-]+)+/) != nil else {
                throw ConfigurationError(
                    name,
                    "contains an entry that is not a full domain name",
                    fix: "use domains such as relay.example.com, without an @"
                )
            }
        }
        self = .apple.adding(domains)
    }
}
