import Foundation
import Testing

@testable import AppleEmulator

/// The list of behaviours is whole, and FIDELITY.md says the same.
struct FidelityTests {
    @Test("FIDELITY.md is what `make fidelity` writes")
    func documentIsCurrent() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "FIDELITY.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let current = text == FidelityDocument.markdown + "\n"
        #expect(current, "run make fidelity and commit FIDELITY.md")
    }

    @Test("what is emulated names its tests, what is not says why")
    func everyBehaviourIsProvenOrExplained() {
        for behaviour in BehaviourTopic.all.flatMap(\.behaviours) {
            switch behaviour.emulation {
            case .tested(let tests): #expect(!tests.isEmpty, "\(behaviour.text)")
            case .missing(let reason): #expect(!reason.isEmpty, "\(behaviour.text)")
            }
        }
    }

    @Test("what is documented or observed names its source, what is assumed has none")
    func everyFactHasItsSource() {
        for behaviour in BehaviourTopic.all.flatMap(\.behaviours) {
            #expect(behaviour.sources.isEmpty == (behaviour.mark == .assumed), "\(behaviour.text)")
        }
    }

    @Test("no behaviour is listed twice")
    func eachIsListedOnce() {
        let texts = BehaviourTopic.all.flatMap(\.behaviours).map(\.text)
        #expect(Set(texts).count == texts.count)
    }
}
