import Accounts
import CPostgreSQL

/// Why an exchange with the server gave no answer.
struct PostgreSQLFailure: Error, Hashable {
    /// How far it came.
    enum Cause: Hashable {
        /// Nothing was sent.
        case notSent
        /// The server refused a statement; with a fatal error the connection is gone besides.
        case refused(SQLState, isFatal: Bool)
        /// The connection was lost: what was sent may have been done.
        case lost
        /// No answer came in time, and the connection was given up: what was sent may still be done.
        case late
    }

    let cause: Cause
    /// For the operator's log; never a value.
    let hint: String

    init(_ cause: Cause, hint: String) {
        self.cause = cause
        self.hint = hint
    }

    /// Reads what the server said.
    init(_ result: OpaquePointer) {
        let state = SQLState(siwa_pq_sql_state(result).map { String(cString: $0) } ?? "")
        let severity = siwa_pq_severity(result).map { String(cString: $0) }
        let message = siwa_pq_message(result).map { String(cString: $0) }
        let constraint = siwa_pq_constraint(result).map { String(cString: $0) }
        // What libpq says itself has no state: the connection is lost.
        let cause: Cause =
            state.code.isEmpty
            ? .lost
            : .refused(state, isFatal: severity != "ERROR")
        // Messages about data have the data in them.
        let words = state.isAboutData ? constraint ?? "a value was refused" : message ?? ""
        self.init(
            cause,
            hint: state.code.isEmpty
                ? "PostgreSQL: the connection was lost" : "PostgreSQL \(state.code): \(words)"
        )
    }

    /// Whether another connection may do at once what this one could not.
    var isOfConnection: Bool {
        switch cause {
        case .notSent, .lost: true
        case .late: false
        case .refused(let state, _): state.spoilsConnection
        }
    }

    /// Why what has changed nothing may begin again; nil when it must not.
    var retryReason: Retries.Reason? {
        if state?.isConstraint == true { return .constraint }
        if state?.isConflict == true { return .conflict }
        return isOfConnection ? .loss : nil
    }

    /// The same for what may have been committed: what never left was not, nor what the server refused.
    var retryReasonCommitting: Retries.Reason? {
        if cause == .notSent { return .loss }
        guard state != nil, AccountStoreError(committing: self).kind != .outcomeUnknown else {
            return nil
        }
        return retryReason
    }

    var state: SQLState? {
        if case .refused(let state, _) = cause { state } else { nil }
    }
}

/// The five characters by which PostgreSQL names an error.
///
/// Source: [PostgreSQL Error Codes](https://www.postgresql.org/docs/current/errcodes-appendix.html)
struct SQLState: Hashable {
    let code: String

    init(_ code: String) {
        self.code = code
    }

    private var errorClass: Substring { code.prefix(2) }

    /// Data exceptions and violated constraints.
    var isAboutData: Bool { errorClass == "22" || errorClass == "23" }

    /// Two transactions got into each other's way; one of them has to begin again.
    var isConflict: Bool { code == "40001" || code == "40P01" }

    /// A row that another transaction has just written stands in the way, or is gone.
    ///
    /// A transaction that looked before it wrote sees it when it looks again.
    var isConstraint: Bool { code == "23505" || code == "23503" }

    /// There is no such table, or not yet.
    var isUndefinedTable: Bool { code == "42P01" }

    /// The server can't tell whether the transaction was committed.
    var isOutcomeUnknown: Bool { code == "40003" || code == "08007" }

    /// Waiting, or another server, may help: connection, resources, shutting down, read-only, a statement that
    /// took too long, a plan or a prepared statement that is gone.
    var isPassing: Bool {
        ["08", "53", "57", "58"].contains(errorClass)
            || [
                "25006", "25P03", "40000", "40001", "40P01", "40002", "55P03", "55006", "26000",
                "42P05",
            ]
            .contains(code)
            || isChangedPlan
    }

    /// The statement took longer than the server was told to work on it.
    private static let cancelled = "57014"

    /// Another program has changed a table since the statement was prepared.
    private var isChangedPlan: Bool { code == "0A000" }

    /// Whether another connection may do what this one can't: a standby, a server that shuts down, a proxy that
    /// has forgotten prepared statements.
    var spoilsConnection: Bool {
        ["08", "58"].contains(errorClass) || (errorClass == "57" && code != Self.cancelled)
            || ["25006", "25P03", "26000", "42P05"].contains(code) || isChangedPlan
    }
}

extension AccountStoreError {
    /// Sorts a failure that has changed nothing by whether waiting may help.
    init(_ failure: PostgreSQLFailure) {
        switch failure.cause {
        case .notSent, .lost, .late: self.init(.unavailable, hint: failure.hint)
        case .refused(let state, _):
            self.init(state.isPassing ? .unavailable : .failed, hint: failure.hint)
        }
    }

    /// Sorts a failure of an exchange with which changes were to become durable.
    ///
    /// A proxy that loses the server ends the connection in the place of answers that it has not passed on, whichever
    /// statement these were to: all of them may have been carried out.
    init(committing failure: PostgreSQLFailure) {
        switch failure.cause {
        case .lost, .late: self.init(.outcomeUnknown, hint: failure.hint)
        case .refused(let state, let isFatal) where state.isOutcomeUnknown || isFatal:
            self.init(.outcomeUnknown, hint: failure.hint)
        default: self.init(failure)
        }
    }
}
