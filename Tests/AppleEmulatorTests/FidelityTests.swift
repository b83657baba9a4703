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

    @Test("a source is named once, and no two have one name")
    func sourcesAreNamedOnce() {
        let sources = Set(BehaviourTopic.all.flatMap(\.behaviours).flatMap(\.sources))
        #expect(Set(sources.map { $0.name.lowercased() }).count == sources.count)
        let lines = FidelityDocument.markdown.split(separator: "\n")
        for source in sources {
            let definition = "[\(source.name)]: \(source.address)"
            #expect(lines.count { $0 == definition } == 1, "\(source.name)")
        }
    }

    @Test("every row of a table has the cells of its head")
    func tablesAreWhole() {
        var cellCount: Int?
        for line in FidelityDocument.markdown.split(
            separator: "\n",
            omittingEmptySubsequences: false
        ) {
            guard line.hasPrefix("|") else {
                cellCount = nil
                #expect(!line.contains("|"), "\(line)")
                continue
            }
            let count = line.replacing("\\|", with: "").count { $0 == "|" }
            #expect(line.hasSuffix("|") && count == cellCount ?? count, "\(line)")
            cellCount = count
        }
    }

    @Test("the topics' links lead to their headings, and the counts are theirs")
    func overview() {
        let lines = FidelityDocument.markdown.split(separator: "\n")
        #expect(
            lines.contains {
                $0.hasPrefix("| [What Apple's page refuses](#what-apples-page-refuses) |")
            }
        )
        let all = BehaviourTopic.all.flatMap(\.behaviours)
        let emulated = all.count(where: \.isEmulated)
        #expect(lines.contains("| all | \(emulated) | \(all.count - emulated) |"))
        let rows = lines.count { $0.contains("| **not emulated**: ") }
        #expect(rows == all.count - emulated)
    }

    @Test("no behaviour is listed twice")
    func eachIsListedOnce() {
        let texts = BehaviourTopic.all.flatMap(\.behaviours).map(\.text)
        #expect(Set(texts).count == texts.count)
    }
}
