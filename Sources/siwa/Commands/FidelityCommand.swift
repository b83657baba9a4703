import AppleEmulator
import ArgumentParser

/// `siwa fidelity`: FIDELITY.md, for `make fidelity`.
struct FidelityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fidelity",
        abstract: "Print what the emulator does as Apple does, as Markdown.",
        shouldDisplay: false
    )

    func run() {
        Console().write(FidelityDocument.markdown)
    }
}
