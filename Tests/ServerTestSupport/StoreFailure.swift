import Accounts
import Testing

/// Expects that a call of a store fails in one way.
///
/// - Parameters:
///   - kind: the way.
///   - sourceLocation: where it is expected.
///   - call: the call.
/// - Returns: the error, for a look at its words.
@discardableResult
package func expectFailure(
    _ kind: AccountStoreError.Kind,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws -> some Any
) async -> AccountStoreError? {
    let error = await #expect(throws: AccountStoreError.self, sourceLocation: sourceLocation) {
        try await call()
    }
    #expect(error?.kind == kind, sourceLocation: sourceLocation)
    return error
}
