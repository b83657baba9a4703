extension BehaviourTopic {
    /// What an app on a device gets, without a page.
    static let devices = BehaviourTopic(
        title: "Devices",
        behaviours: [
            .emulated(
                "A device hands an app identifier, identity token and code",
                .documented,
                from: .authenticatingUsers,
                control: "`POST /people/{email}/credentials`",
                tests: "PeopleTests.once",
                "LibraryTests.native"
            ),
            .emulated(
                "Name and address come the first time only",
                .documented,
                from: .authenticatingUsers,
                tests: "PeopleTests.once"
            ),
            .missing(
                "On a device only the person signed in there can agree",
                .documented,
                from: .authenticatingUsers,
                because: "there is no device: whom the route names counts as signed in"
            ),
            .missing(
                "Deleting the Apple Account tells no device by itself",
                .documented,
                from: .notifications,
                because: "no device is told anything by itself here; it asks for the state"
            ),
            .missing(
                "Managed accounts work from iOS 16, iPadOS 16.1 and macOS 13 on",
                .documented,
                from: .authenticatingUsers,
                because: "a device has no version here"
            ),
            .emulated(
                "`real_user_status` comes with the first sign-in on a device, never from the web",
                .documented,
                from: .authenticatingUsers,
                tests: "IdentityTokenTests.native",
                "IdentityTokenTests.order"
            ),
            .emulated(
                "`real_user_status` is 0 for unsupported, 1 for unknown, 2 for likely real",
                .documented,
                from: .authenticatingUsers,
                control:
                    "`real_user_status` of `POST /people/{email}/credentials`; 2 when left out",
                tests: "IdentityTokenTests.realUserStatus"
            ),
            .emulated(
                "The nonce of a device is in the token as it was sent, hashed or not",
                .documented,
                from: .identityToken,
                .supabase48567,
                tests: "IdentityTokenTests.nonce"
            ),
            .emulated(
                "The state of a credential is authorized, revoked, not found or transferred",
                .documented,
                from: .credentialState,
                control: "`GET /people/{email}/credential-state`",
                tests: "PeopleTests.credentialState",
                "MigrationTests.credentialState"
            ),
            .missing(
                "The states have the numbers 0 to 3",
                .observed,
                from: .credentialStateNumbers,
                because: "the control port gives names"
            ),
            .emulated(
                "Stopping to use an app makes the state revoked",
                .documented,
                from: .credentialState,
                .manageApps,
                tests: "PeopleTests.credentialState"
            ),
            .emulated(
                "Once agreed, it holds for all devices and the web",
                .documented,
                from: .authenticatingUsers,
                tests: "PeopleTests.group"
            ),
            .missing(
                "A device asks the person before it hands out a token",
                .documented,
                from: .verifyingUser,
                because: "whoever calls the route says yes for the person"
            ),
            .emulated(
                "A deleted account has no credential",
                .documented,
                from: .notifications,
                control: "`DELETE /people/{email}`",
                tests: "PeopleTests.deletion"
            ),
            .missing(
                "For people of App Review, and nobody else, the code counts as used",
                .observed,
                from: .keycloakAppleSocialIdentityProvider23,
                .djangoAllauth2836,
                because: "the cause was never explained; `POST /faults` can give that answer"
            ),
        ]
    )
}
