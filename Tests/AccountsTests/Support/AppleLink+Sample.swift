import AccountStoreConformance
import AppleIdentity
import Foundation

@testable import Accounts

extension AppleLink {
    /// The link that a sample of a sign-in makes.
    static func sample(
        _ person: ApplePerson = SampleSignIn().person,
        clientID: ClientID = "com.example.juice",
        consentedAt: Date = SampleSignIn.start,
        hasRefreshToken: Bool = true
    ) -> AppleLink {
        AppleLink(
            person: person,
            clientID: clientID,
            linkedAt: SampleSignIn.start,
            consentedAt: consentedAt,
            hasRefreshToken: hasRefreshToken
        )
    }
}
