import AppleIdentity

/// What the token endpoint answers.
struct TokenAnswer {
    /// The body; an identity token in it lacks its signature.
    let object: JSONObject
    /// The identity token that is to be signed before the answer leaves.
    var unsignedToken: UnsignedToken?
}
