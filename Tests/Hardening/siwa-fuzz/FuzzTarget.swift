import Foundation

/// One door through which foreign bytes come, and what has to hold whatever they are.
protocol FuzzTarget: Sendable {
    /// Inputs to begin with: real ones, published ones, and ones that were trouble elsewhere.
    func seeds() throws -> [Data]

    /// Hands one input in and checks what comes out; a broken promise ends the process.
    func test(_ input: Data)
}
