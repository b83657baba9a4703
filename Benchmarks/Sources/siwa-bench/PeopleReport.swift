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

    /// The memory that the process holds, in megabytes; 0 where the system does not tell.
    static var residentMegabytes: Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let match = status.firstMatch(of: /VmRSS:\s+([0-9]+) kB/),
            let kilobytes = Int(match.1)
        else { return 0 }
        return kilobytes / 1_024
    }
}
