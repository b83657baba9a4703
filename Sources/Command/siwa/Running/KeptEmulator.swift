import AppleEmulator
import AppleEmulatorServer

/// An emulator whose state is saved in a folder.
struct KeptEmulator: Sendable {
    let emulator: AppleEmulator
    let folder: StateFolder
    /// Whether the folder contained a state, which the emulator loaded.
    let isRestored: Bool

    /// Opens the folder and loads its state, or seeds the emulator if the folder has none.
    init(path: String, seed: Seed, configuration: EmulatorConfiguration) async throws {
        do {
            folder = try StateFolder(path: path)
            (emulator, isRestored) = try await folder.emulator(
                seed: seed,
                configuration: configuration
            )
        } catch let error as StateFolderError {
            throw CommandFailure(error.message, hint: error.hint)
        }
    }

    /// The people of a seed who still exist.
    func people(of seed: Seed) async -> [String] {
        var people: [String] = []
        for person in seed.people where await emulator.hasPerson(person.email) {
            people.append(person.email)
        }
        return people
    }
}
