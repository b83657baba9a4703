import AppleEmulator
import AppleEmulatorPages

/// The page that shows and moves Apple's clock.
extension Console {
    private static let steps: [(length: String, seconds: Int)] = [
        ("10 minutes", 600), ("1 hour", 3_600), ("1 day", 86_400), ("30 days", 30 * 86_400),
        ("60 days", 60 * 86_400), ("6 months", 15_777_000),
    ]

    var clockRoutes: [ConsoleRoute] {
        [
            ConsoleRoute("console/clock", .clock, page: clock),
            ConsoleRoute("console/clock/advance", .clock, page: clock, action: advance),
            ConsoleRoute("console/clock/set", .clock, page: clock) { visit in
                guard !visit["now"].isEmpty else {
                    throw ControlRefusal.wrong("now", "is missing")
                }
                _ = try await visit.emulator.moveClock(visit.object(of: Self.setForm("")))
                return .done(.clockMoved, at: ConsoleSection.clock.path)
            },
            ConsoleRoute("console/clock/reset", .clock, page: clock) { visit in
                let offset =
                    await visit.emulator.consoleClock()["offset_seconds"]?.integerValue ?? 0
                _ = try await visit.emulator.moveClock(["advance_seconds": .integer(-offset)])
                return .done(.clockMoved, at: ConsoleSection.clock.path)
            },
        ]
    }

    private static let advanceForm = ConsoleForm(
        "advance",
        to: "/console/clock/advance",
        "Move the clock",
        .primary,
        isCompact: true
    )
    .asking([
        ConsoleField("days", "Days", .number, value: "0"),
        ConsoleField("hours", "Hours", .number, value: "0"),
        ConsoleField("minutes", "Minutes", .number, value: "0"),
    ])

    private static func setForm(_ now: String) -> ConsoleForm {
        ConsoleForm("set", to: "/console/clock/set", "Set the clock")
            .asking([
                ConsoleField("now", "Time", value: now, isRequired: true)
                    .hint("Such as 2026-01-31T12:00:00Z.")
            ])
    }

    @Sendable private func clock(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let facts = await visit.emulator.consoleClock()
        let offset = facts["offset_seconds"]?.integerValue ?? 0
        let steps = Self.steps.enumerated().map { index, step in
            let path = "/console/clock/advance"
            let form = ConsoleForm("step-\(index)", to: path, "+ \(step.length)")
                .sending(
                    [("advance_seconds", String(step.seconds))],
                    spoken: "Advance the clock by \(step.length)"
                )
            return visit.content(of: form)
        }
        let back = ConsoleForm("back", to: "/console/clock/reset", "Use this machine’s time")
        return ConsolePage(
            .clock,
            template: "console-clock",
            content: facts.readable("now", "machine").merging([
                "offset": .string(ConsoleText.offset(offset)),
                "is_moved": .boolean(abs(offset) > 1), "steps": .array(steps),
                "advance": visit.content(of: Self.advanceForm),
                "set": visit.content(of: Self.setForm(facts.text("now"))),
                "back": visit.content(of: back),
            ])
        )
    }

    private static let units = [
        ("advance_seconds", 1), ("days", 86_400), ("hours", 3_600), ("minutes", 60),
    ]
    /// The accepted numbers of each unit; the clock itself moves by a hundred years at most.
    private static let counts = -10_000_000_000...10_000_000_000

    /// Moves the clock by days, hours and minutes, or by the seconds of a step.
    @Sendable private func advance(_ visit: ConsoleVisit) async throws -> ConsoleOutcome {
        var seconds = 0
        for (name, unit) in Self.units {
            let text = visit[name]
            guard !text.isEmpty else { continue }
            guard let count = Int(text), Self.counts.contains(count) else {
                throw ControlRefusal.wrong(
                    name,
                    "must be a whole number from \(Self.counts.lowerBound)"
                        + " to \(Self.counts.upperBound); a negative number moves it back"
                )
            }
            seconds += count * unit
        }
        _ = try await visit.emulator.moveClock(["advance_seconds": .integer(seconds)])
        return .done(.clockMoved, at: ConsoleSection.clock.path)
    }
}
