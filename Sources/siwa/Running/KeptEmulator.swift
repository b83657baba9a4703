import AppleEmulator
import AppleEmulatorServer

/// An emulator whose state outlives it in a folder.
struct KeptEmulator: Sendable {
    let emulator: AppleEmulator
    let folder: StateFolder
    /// Whether it goes on from what the folder held.
    let isRestored: Bool

    /// Opens the folder, and goes on from what is there; a fresh one is seeded.
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

    /// The people of a seed who are still there.
    func people(of seed: Seed) async -> [String] {
        var people: [String] = []
        for person in seed.people where await emulator.hasPerson(person.email) {
            people.append(person.email)
        }
        return people
    }
}
