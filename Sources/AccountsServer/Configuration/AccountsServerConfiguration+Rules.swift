import AppleIdentity
import SignInWithApple

extension AccountsServerConfiguration {
    /// The maximum number of additional relay domains.
    package static let maximumRelayDomainCount = 100

    /// Returns Apple's relay domains and those of the settings.
    static func relayDomains(
        _ values: ConfigurationValues,
        _ mistakes: inout MistakeList
    ) -> RelayDomains {
        let domains = values.list("SIWA_RELAY_DOMAINS")
        mistakes.note(try check(domains))
        return .apple.adding(domains)
    }

    private static func check(_ domains: [String]) throws(ConfigurationError) {
        let name = "SIWA_RELAY_DOMAINS"
        guard domains.count <= maximumRelayDomainCount else {
            throw ConfigurationError(
                name,
                "lists more than \(maximumRelayDomainCount) domains",
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
    }
}
