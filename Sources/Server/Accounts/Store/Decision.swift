/// The decision of a rule: the answer to the caller, and the writes that must be durable first.
package struct Decision<Answer: Sendable>: Sendable {
    /// The result for the caller, returned once the writes are durable.
    package let answer: Answer
    /// The writes in order, in the transaction that read the facts.
    package let writes: [StoreWrite]

    package init(_ answer: Answer, _ writes: [StoreWrite] = []) {
        self.answer = answer
        self.writes = writes
    }

    /// Makes the decision of a rule that throws its refusal, which writes nothing.
    init<Value>(
        _ rule: () throws(AccountsError) -> Self
    ) where Answer == Result<Value, AccountsError> {
        do throws(AccountsError) {
            self = try rule()
        } catch {
            self.init(.failure(error))
        }
    }
}
