extension BehaviourTopic {
    /// `GET /auth/keys` and the discovery document.
    static let keys = BehaviourTopic(
        title: "Keys and discovery",
        behaviours: [
            .emulated(
                "`/auth/keys` lists RSA keys of 2048 bits, members in the order kty, kid, use, alg, n, e",
                .observed,
                from: .wellKnown,
                tests: "DocumentTests.keys"
            )
        ]
    )
}
