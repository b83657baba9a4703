import ArgumentParser

@main struct SiwaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "siwa")
}
