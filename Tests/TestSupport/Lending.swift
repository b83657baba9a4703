import Foundation
import Testing

/// Lends each test of a suite a value of its own, which ends with the test.
public struct Lending<Value: Sendable>: SuiteTrait, TestTrait, TestScoping {
    /// Makes a value, lends it to the body, and ends it.
    public typealias Lend =
        @Sendable (_ body: @escaping @Sendable (Value) async throws -> Void) async throws -> Void

    private let local = TaskLocal<Value?>(wrappedValue: nil)
    private let lend: Lend

    /// Makes a trait; keep it in a static constant, by which the suite names it and gets the value.
    ///
    /// - Parameter lend: lends a value.
    public init(_ lend: @escaping Lend) {
        self.lend = lend
    }

    /// The value of the test that runs.
    public var value: Value { get throws { try #require(local.get()) } }

    /// Each test has a value, not the suite.
    public var isRecursive: Bool { true }

    /// Runs a test while the value is lent.
    ///
    /// - Parameters:
    ///   - test: the test.
    ///   - testCase: its arguments.
    ///   - function: runs it.
    /// - Throws: what the test throws, and when the value can't be made.
    @concurrent public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await lend { value in
                try await local.withValue(value) { try await function() }
            }
        }
    }
}

/// An empty folder for each test of a suite.
public enum TemporaryFolder {
    /// The trait.
    public static let lending = Lending<URL> { body in try await withTemporaryFolder(body) }
}
