import HummingbirdTesting
import Testing

/// Something that a person, Apple, the clock or an administrator has the server do.
struct StoreFlow: Sendable, CustomTestStringConvertible {
    /// What it is, in words.
    let name: String
    /// Makes a world ready for it.
    let prepare: @Sendable (FaultWorld) async throws -> Steps

    init(_ name: String, _ prepare: @escaping @Sendable (FaultWorld) async throws -> Steps) {
        self.name = name
        self.prepare = prepare
    }

    var testDescription: String { name }

    /// How it is done, and what has to come of it.
    struct Steps: Sendable {
        typealias Act = @Sendable (TestResponse?) async throws -> TestResponse?

        /// The codes by which a repetition is told that there is nothing left to be done.
        var doneCodes: Set<String> = []
        /// The code of the answer when the store does not fail; nil when there is no refusal.
        var code: String?
        /// Does it, or does it again after the answer given.
        ///
        /// No answer means that nobody waits for one: it is done again whatever came of it.
        let act: Act
        /// Finds out that it has been done, and nothing by halves.
        let check: @Sendable () async throws -> Void
    }

    static let all =
        signIns + sessions + accounts + passwords + mails + links + apps + events + background
        + administration
}

extension StoreFlow.Steps {
    /// One request that is sent again as it was.
    init(
        doneCodes: Set<String> = [],
        code: String? = nil,
        sending send: @escaping @Sendable () async throws -> TestResponse,
        check: @escaping @Sendable () async throws -> Void
    ) { self.init(doneCodes: doneCodes, code: code, act: { _ in try await send() }, check: check) }
}

/// Compares what was found with what it has to be.
///
/// A function: of a closure in which nothing throws outside of `#expect`, the compiler (Swift 6.3.1) says that nothing does.
func expectSame<Value: Equatable>(
    _ found: Value,
    _ expected: Value,
    sourceLocation: SourceLocation = #_sourceLocation
) { #expect(found == expected, sourceLocation: sourceLocation) }
