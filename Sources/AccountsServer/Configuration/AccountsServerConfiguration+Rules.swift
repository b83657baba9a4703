import AppleIdentity
import SignInWithApple

extension AccountsServerConfiguration {
    /// How many domains may be added to those of Apple's relay.
    package static let maximumRelayDomainCount = 100

    /// Apple's domains of relay addresses, with those that the settings add.
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
                fix: "list only domains in which every address is a relay address"
            )
        }
        for domain in domains {
            guard domain.wholeMatch(of: /[A-Za-z0-9\-]+(\.[A-Za-z0-9\-]+)+/) != nil else {
                throw ConfigurationError(
                    name,
                    "has something that is not a whole domain",
                    fix: "write domains like relay.example.com, without an @"
                )
            }
        }
    }

    /// For how many days the audit log is kept; a year when nothing is set.
    static func auditDays(_ values: ConfigurationValues) throws(ConfigurationError) -> Int {
        let name = "SIWA_AUDIT_DAYS"
        guard let text = values.optional(name) else { return 365 }
        guard let days = Int(text), auditDayRange.contains(days) else {
            throw ConfigurationError(
                name,
                "is not a number of days from \(auditDayRange.lowerBound) to \(auditDayRange.upperBound)",
                fix: "write for how many days the audit log is kept, for example 365"
            )
        }
        return days
    }
}
