extension BehaviourTopic {
    /// The JWT by which a server shows who it is.
    static let clientSecret = BehaviourTopic(
        title: "The client secret",
        behaviours: [
            .emulated(
                "Client id and secret stand in the form, in no other place",
                .documented,
                from: .tokenValidation,
                .wellKnown,
                tests: "TokenTests.malformed"
            ),
            .emulated(
                "The secret is signed with ES256",
                .documented,
                from: .clientSecret,
                .technote3107,
                tests: "ClientSecretTests.header"
            ),
            .emulated(
                "R and S of the signature stand side by side in 64 bytes; ASN.1 is refused",
                .documented,
                from: .clientSecret,
                .technote3107,
                tests: "ClientSecretTests.header"
            ),
            .emulated(
                "`kid` is the Key ID of a registered key",
                .documented,
                from: .clientSecret,
                tests: "ClientSecretTests.header",
                "ClientSecretTests.missing"
            ),
            .emulated(
                "`typ` may be there or not",
                .observed,
                from: .wholeFlow,
                tests: "ClientSecretTests.type"
            ),
            .emulated(
                "`iss` is the Team ID",
                .documented,
                from: .clientSecret,
                tests: "ClientSecretTests.claim",
                "ClientSecretTests.missing"
            ),
            .emulated(
                "`sub` is the client id, case-sensitive",
                .documented,
                from: .clientSecret,
                .technote3107,
                tests: "ClientSecretTests.claim",
                "ClientSecretTests.missing"
            ),
            .emulated(
                "`aud` is `https://appleid.apple.com`",
                .documented,
                from: .clientSecret,
                tests: "ClientSecretTests.claim",
                "ClientSecretTests.missing"
            ),
            .emulated(
                "`aud` may be a list of that one",
                .assumed,
                tests: "ClientSecretTests.audienceList"
            ),
            .emulated(
                "`iat` and `exp` are needed, in seconds",
                .documented,
                from: .clientSecret,
                tests: "ClientSecretTests.missing"
            ),
            .emulated(
                "`exp` is 15777000 seconds ahead at most, by Apple's clock",
                .documented,
                from: .clientSecret,
                control: "`POST /clock`",
                tests: "ClientSecretTests.times",
                "ClientSecretTests.movedClock"
            ),
            .emulated(
                "A secret for six calendar months can be too long",
                .observed,
                from: .laravelSignInWithApple9,
                tests: "ClientSecretTests.times"
            ),
            .emulated(
                "`iat` may be five minutes ahead; `exp` has no tolerance",
                .assumed,
                control: "switch `secret_skew_seconds`",
                tests: "ClientSecretTests.times"
            ),
            .emulated(
                "The key of another app or team is refused",
                .observed,
                from: .appleIdentityProviderKeycloak47,
                .appleIdentityProviderKeycloak18,
                tests: "ClientSecretTests.otherTeam",
                "ClientSecretTests.otherApp"
            ),
            .emulated(
                "Whatever is wrong, the answer is a bare `invalid_client`",
                .documented,
                from: .technote3107,
                control: "`GET /requests` tells the reason",
                tests: "ClientSecretTests.claim",
                "ClientSecretTests.header"
            ),
        ]
    )
}
