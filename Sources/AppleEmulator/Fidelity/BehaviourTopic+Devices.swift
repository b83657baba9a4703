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
            .emulated(
                "Another Apple Account on the device is another user",
                .documented,
                from: .verifyingUser,
                tests: "PeopleTests.otherPerson"
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
            .missing(
                "`real_user_status` comes from iOS 14, tvOS 14, macOS 11 and watchOS 7 on",
                .documented,
                from: .authenticatingUsers,
                because:
                    "a device has no version here; `real_user_status` of the route says what it can"
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
            .missing(
                "Clients in the manner of Firebase send the lower-case hexadecimal SHA-256 of a nonce, and its base64 fits nowhere",
                .observed,
                from: .betterAuth8870,
                .firebaseIOSSDK15571,
                because: "a habit of clients; the token has what was sent"
            ),
            .missing(
                "The library for React Native hashes the nonce without saying so",
                .observed,
                from: .reactNativeAppleAuthentication28,
                because: "a habit of clients; the token has what was sent"
            ),
            .missing(
                "Supabase compares the hexadecimal SHA-256 of what it is given",
                .observed,
                from: .betterAuth8870,
                .supabase48567,
                because: "a habit of servers; the token has what was sent"
            ),
            .emulated(
                "The state of a credential is authorized, revoked, not found or transferred",
                .documented,
                from: .credentialState,
                control: "`GET /people/{email}/credential-state`",
                tests: "PeopleTests.credentialState",
                "MigrationTests.credentialState"
            ),
            .emulated(
                "The states are numbered: revoked 0, authorized 1, not found 2, transferred 3",
                .observed,
                from: .credentialStateNumbers,
                control: "`number` of `GET /people/{email}/credential-state`",
                tests: "ControlPortRouteTests.credentialStatesHaveTheirNumbers"
            ),
            .missing(
                "A device tells the state by itself, without the network",
                .documented,
                from: .verifyingUser,
                because: "there is no device: the control port is asked"
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
                "Removing the app from the device changes nothing for the sign-in",
                .documented,
                from: .authenticatingUsers,
                because: "there is no app to remove"
            ),
            .missing(
                "A device asks the person before it hands out a token",
                .documented,
                from: .verifyingUser,
                because: "whoever calls the route says yes for the person"
            ),
            .missing(
                "A fresh token of a device more than once a day may be slowed down",
                .documented,
                from: .verifyingUser,
                because: "only refreshes are slowed down, by the switch `throttled_refresh`"
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
