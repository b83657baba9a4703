import AppleEmulator
import Foundation

/// How long it takes to seed many people, and how much memory they need.
enum PeopleReport {
    static let personCount = 100_000

    static func make() async throws -> String {
        let before = residentMegabytes
        let seed = Seed(people: BenchEmulator.people(personCount))
        let clock = ContinuousClock()
        let start = clock.now
        let apple = try await AppleEmulator(seed: seed)
        let seconds = (clock.now - start) / .seconds(1)
        let after = withExtendedLifetime(apple) { residentMegabytes }
        return """

            People of the emulator
              \(personCount) people seeded in \(String(format: "%.2f", seconds)) s\
            , resident memory \(before) MB before and \(after) MB after
            """
    }

    private static var residentMegabytes: Int {
        Int(ProcessFigures.current.residentMegabytes ?? 0)
    }
}
