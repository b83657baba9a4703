import Foundation
import Testing

@testable import AppleEmulator

/// The list of behaviours is whole, and docs/reference/fidelity.md says the same.
@Suite("Fidelity to Apple") struct FidelityTests {
    private let fidelity: Fidelity

    init() throws { fidelity = try Fidelity() }

    @Test("docs/reference/fidelity.md is what `make fidelity` writes")
    func documentIsCurrent() throws {
        try Document.expect(
            "docs/reference/fidelity.md",
            toBe: FidelityPage(fidelity: fidelity).markdown
        )
    }

    /// A suite names the behaviours in comments that begin with "Fidelity:".
    @Test("the tests name what is emulated, and nothing else") func everyBehaviourIsTested() throws
    {
        let files = FileManager.default.enumerator(
            at: Document.file("Tests"),
            includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles
        )
        var named: Set<String> = []
        for case let file as URL in files ?? .init()
        where ["swift", "py"].contains(file.pathExtension) {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard let mark = ["// Fidelity: ", "# Fidelity: "].first(where: line.hasPrefix)
                else { continue }
                named.formUnion(line.dropFirst(mark.count).split(separator: ", ").map(String.init))
            }
        }
        let emulated = fidelity.behaviours.filter { $0.notEmulated == nil }.map(\.id)
        #expect(named.symmetricDifference(emulated).isEmpty)
    }

    @Test("a switch that a behaviour names exists") func everySwitchExists() {
        let known = Set(EmulatorSwitches.fields.map(\.name))
        for behaviour in fidelity.behaviours {
            guard let text = behaviour.switch, text.hasPrefix("switch ") else { continue }
            let names = text.matches(of: /`([^`]+)`/).map { String($0.output.1) }
            #expect(!names.isEmpty && known.isSuperset(of: names), "\(text): \(behaviour.text)")
        }
    }

    @Test("what is documented or observed names its sources, what is assumed has none")
    func everyFactHasItsSource() {
        for behaviour in fidelity.behaviours {
            let sources = behaviour.sources ?? []
            #expect(sources.isEmpty == (behaviour.mark == .assumed), "\(behaviour.text)")
            #expect(sources.allSatisfy { fidelity.sources[$0] != nil }, "\(behaviour.text)")
        }
    }

    @Test("every source is used, leads somewhere, and no two have one name")
    func sourcesAreNamedOnce() {
        let used = Set(fidelity.behaviours.flatMap { $0.sources ?? [] })
        #expect(used == Set(fidelity.sources.keys))
        #expect(Set(used.map { $0.lowercased() }).count == used.count)
        for (name, address) in fidelity.sources {
            #expect(URL(string: address)?.scheme == "https", "\(name)")
        }
    }

    @Test("no behaviour is listed twice, and no field of the list is misspelt")
    func eachIsListedOnce() throws {
        let names = fidelity.behaviours.flatMap { [$0.id, $0.text] }
        #expect(Set(names).count == names.count)
        let known: Set = ["id", "text", "mark", "sources", "switch", "notEmulated"]
        for line in try Document.text("docs/fidelity.json").split(separator: "\n") {
            guard let field = line.firstMatch(of: /^ {10}"(\w+)":/) else { continue }
            #expect(known.contains(String(field.output.1)), "\(line)")
        }
    }
}
