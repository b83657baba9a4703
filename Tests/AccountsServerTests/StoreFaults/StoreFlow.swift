import HummingbirdTesting
import Testing

/// An action of a user, Apple, the clock or an administrator.
struct StoreFlow: Sendable, CustomTestStringConvertible {
    let name: String
    /// Prepares a world for it.
    let prepare: @Sendable (FaultWorld) async throws -> Steps

    init(_ name: String, _ prepare: @escaping @Sendable (FaultWorld) async throws -> Steps) {
        self.name = name
        self.prepare = prepare
    }

    var testDescription: String { name }

    /// The action and its expected result.
    struct Steps: Sendable {
        typealias Act = @Sendable (TestResponse?) async throws -> TestResponse?

        /// The error codes of a repetition after the action is done.
        var doneCodes: Set<String> = []
        /// The expected error code without a fault; nil for success.
        var code: String?
        /// Runs the action, or repeats it after the given response.
        ///
        /// Without a response, no client is waiting, and the action is repeated in any case.
        let act: Act
        /// Checks that the action is done completely.
        let check: @Sendable () async throws -> Void
    }

    static let all =
        signIns + sessions + accounts + passwords + mails + links + apps + events + background
        + administration
}

extension StoreFlow.Steps {
    /// One request that is repeated unchanged.
    init(
        doneCodes: Set<String> = [],
        code: String? = nil,
        sending send: @escaping @Sendable () async throws -> TestResponse,
        check: @escaping @Sendable () async throws -> Void = {}
    ) { self.init(doneCodes: doneCodes, code: code, act: { _ in try await send() }, check: check) }
}

/// Compares a result with the expected one.
///
/// A function: of a closure in which nothing throws outside of `#expect`, the compiler (Swift 6.3.1) says that nothing does.
func expectSame<Value: Equatable>(
    _ found: Value,
    _ expected: Value,
    sourceLocation: SourceLocation = #_sourceLocation
) { #expect(found == expected, sourceLocation: sourceLocation) }
