/// Which nonce an identity token must carry.
///
/// Apple copies the nonce of the request into the token unchanged. Some apps send the raw value,
/// others its SHA-256 as lower-case hexadecimal digits and give only the raw value to the server.
/// A nonce that was sent must be in the token, whatever the token says about support for it.
///
/// It binds a token to a sign-in only when the server made the nonce and accepts it once: one that
/// the app alone has chosen comes with the token, also from whoever stole both.
public enum NonceExpectation: Hashable, Sendable {
    /// None was sent: the token must carry none.
    case absent
    /// The token carries this value.
    case raw(String)
    /// The token carries the lower-case hexadecimal SHA-256 of this value.
    case sha256(String)
    /// The token carries this value or its lower-case hexadecimal SHA-256.
    case rawOrSHA256(String)
    /// Whatever the token carries: for answers that came straight from Apple to this server.
    case unchecked
}
