/// The sizes that Apple allows for its button.
///
/// Source: [Sign in with Apple](https://developer.apple.com/design/human-interface-guidelines/sign-in-with-apple)
public struct AppleButtonMetrics: Hashable, Sendable {
    /// The minimum width, in points.
    public static let minimumWidth = 140.0
    /// The minimum height, in points.
    public static let minimumHeight = 30.0
    /// The usual height, in points: 44, the minimum size of a touch target.
    public static let usualHeight = 44.0
    /// The radius of the system's own button, in points.
    public static let usualCornerRadius = 6.0

    /// The height, in points.
    public let height: Double
    /// The radius of the corners, in points: 0 is square, half the height a capsule.
    public let cornerRadius: Double

    /// Creates metrics within Apple's limits: a height of at least 30 points, a radius of at most half the height.
    ///
    /// A value that is not finite becomes the default; an infinite radius makes a capsule.
    ///
    /// - Parameters:
    ///   - height: the desired height, in points.
    ///   - cornerRadius: the desired radius, in points; infinity makes a capsule.
    public init(height: Double = usualHeight, cornerRadius: Double = usualCornerRadius) {
        self.height = height.isFinite ? max(height, Self.minimumHeight) : Self.usualHeight
        self.cornerRadius = Self.cornerRadius(cornerRadius, height: self.height)
    }

    /// The free margin around the button that the guidelines require, in points.
    public var margin: Double { height / 10 }

    /// A radius between a square and a capsule.
    private static func cornerRadius(_ wanted: Double, height: Double) -> Double {
        wanted.isNaN ? usualCornerRadius : min(max(wanted, 0), height / 2)
    }
}
