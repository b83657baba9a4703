import AppleEmulator

/// A thumbnail of a sign-in: its lanes, and a stroke for each step.
struct FlowThumbnail {
    private static let maximumStepCount = 12
    private static let stepHeight = 4
    private static let margin = 4

    /// One stroke, as a path of SVG.
    struct Mark {
        /// The class in the style sheet.
        let name: String
        let path: String
    }

    /// The height in CSS pixels.
    let height: Int
    let marks: [Mark]

    init(_ story: FlowStory) {
        let steps = story.steps.prefix(Self.maximumStepCount)
        height = 2 * Self.margin + max(steps.count - 1, 4) * Self.stepHeight
        marks = steps.enumerated().map { index, step in
            let y = Self.margin + index * Self.stepHeight
            let name = step.event.isRefused ? "refused" : step.isInferred ? "inferred" : "plain"
            guard step.from != step.to else {
                return Mark(name: name, path: "M\(step.from.place - 4) \(y)h8")
            }
            return Mark(name: name, path: "M\(step.from.place) \(y)H\(step.to.place)")
        }
    }
}

extension FlowStep.Lane {
    /// The position of the lane, in CSS pixels from the left.
    fileprivate var place: Int { 6 + 24 * rawValue }
}
