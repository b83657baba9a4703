/// What a store says about a session's token: the session, perhaps expired, and its account as they are stored, or nil.
///
/// It is read on the thread that needs it, so that the store's threads are soon free again.
package typealias SessionAnswer = @Sendable () throws(AccountStoreError) -> SignedInSession?

/// Gets the answers to questions that wait in no task.
package protocol SessionReceiver: Sendable {
    /// Takes an answer, on a thread of the store's or the one that asked, which must not be kept.
    ///
    /// - Parameter answer: the answer.
    func take(_ answer: @escaping SessionAnswer)

    /// Called after each answer, once all those that came together with it are taken, by whichever receivers.
    ///
    /// Whoever has to wake a thread wakes it here, for all of them.
    func answersEnd()
}

/// How far a question for a session has come that waits in no task.
package enum SessionSearch: Sendable {
    /// The store remembers the session.
    case found(SignedInSession)
    /// The store was asked, and its answer comes.
    case asked
    /// There can be no such session, or the store answers tasks alone.
    case unanswered
}
