import AppleIdentity

/// What a client secret says, and the key by which it was verified.
struct VerifiedSecret {
    let key: SeedKey
    let claims: JSONObject
}
