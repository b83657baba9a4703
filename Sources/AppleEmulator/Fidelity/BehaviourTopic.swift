/// The behaviours around one endpoint or idea: a section of FIDELITY.md.
package struct BehaviourTopic: Sendable {
    package let title: String
    package let behaviours: [Behaviour]

    /// Every topic, in the order of a sign-in.
    package static let all: [BehaviourTopic] = [
        .registration, .script, .guidelines, .authorize, .redirectAddress, .authorizeRefusals,
        .sheet, .answer,
        .devices, .clientSecret, .token, .tokenRefusals, .identityToken, .subject, .keys,
        .notifications, .relayMail, .revocation, .migration,
    ]
}
