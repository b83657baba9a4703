/// The behaviours around one endpoint or idea: a section of FIDELITY.md.
package struct BehaviourTopic: Sendable {
    package let title: String
    package let behaviours: [Behaviour]

    /// Every topic, in the order of the document.
    package static let all: [BehaviourTopic] = [
        .keys
    ]
}
