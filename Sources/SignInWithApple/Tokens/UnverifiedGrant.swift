import AppleIdentity

/// What Apple answered to a code, before its identity token was verified.
///
/// It shows nothing of its content: only a verified grant may be acted on. Whoever keeps one can
/// verify it again later, when Apple's keys could not be had at first; the code is spent by then.
package struct UnverifiedGrant: Sendable, Codable {
    let answer: TokenAnswer
    let clientID: ClientID
}
