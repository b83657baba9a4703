import AppleIdentity
import Testing

@Suite("Relay addresses") struct RelayDomainsTests {
    @Test(
        "are known by their whole domain, in any case, when the claim is missing",
        arguments: [
            ("x1@privaterelay.appleid.com", true), ("x1@private.icloud.com", true),
            ("X1@Private.iCloud.com", true), ("x1@icloud.com", false),
            ("x1@notprivate.icloud.com", false), ("x1@private.icloud.com.evil.example", false),
            ("x1@sub.private.icloud.com", false), ("private.icloud.com", false),
            ("private.icloud.com@example.com", false), ("a@example.com", false),
        ]
    ) func domains(email: String, isRelay: Bool) {
        #expect(RelayDomains.apple.isRelayAddress(email) == isRelay)
    }

    @Test("are known by the claim in any domain") func claim() {
        #expect(RelayDomains.apple.isRelayAddress("x1@icloud.com", claim: true))
        #expect(!RelayDomains.apple.isRelayAddress("x1@icloud.com", claim: false))
        #expect(RelayDomains.apple.isRelayAddress("x1@private.icloud.com", claim: false))
        #expect(!RelayDomains.apple.isRelayAddress(nil))
    }

    @Test("of further domains are known as well as Apple's") func further() {
        let domains = RelayDomains.apple.adding(["Relay.Example"])
        #expect(domains.isRelayAddress("x1@relay.example"))
        #expect(domains.isRelayAddress("x1@private.icloud.com"))
        #expect(!RelayDomains.apple.isRelayAddress("x1@relay.example"))
    }
}
