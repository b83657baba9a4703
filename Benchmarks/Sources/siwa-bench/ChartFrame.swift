import Foundation

/// What all charts have in common: the size, and colours for light and dark pages.
struct ChartFrame {
    let width: Double
    let height: Double

    /// The whole picture.
    ///
    /// - Parameters:
    ///   - title: what it shows, for who can't see it.
    ///   - content: its elements.
    /// - Returns: SVG.
    func svg(title: String, content: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.text(width)) \(Self.text(height))" \
        font-family="system-ui, sans-serif" font-size="14" role="img">
        <title>\(title)</title>
        <style>
        text { fill: #1f2328 } .quiet { fill: #59636e } .floor { fill: #8c959f }
        .ours { fill: #0969da } .other { fill: #d0a215 } .read { fill: #8250df }
        .claims { fill: #1a7f37 }
        @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc } .quiet { fill: #9198a1 } .floor { fill: #6e7681 }
        .ours { fill: #4493f8 } .other { fill: #bb8009 } .read { fill: #ab7df8 }
        .claims { fill: #3fb950 }
        }
        </style>
        \(content)
        </svg>

        """
    }

    /// A number as an attribute.
    static func text(_ number: Double) -> String { String(format: "%.1f", number) }
}
