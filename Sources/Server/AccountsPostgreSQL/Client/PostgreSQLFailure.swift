import Accounts
import CPostgreSQL

/// Why an exchange with the server failed.
struct PostgreSQLFailure: Error, Hashable {
    /// How far the exchange got.
    enum Cause: Hashable {
        /// Nothing was sent.
        case notSent
        /// The server refused a statement; a fatal error also ended the connection.
        case refused(SQLState, isFatal: Bool)
        /// The connection was lost; the server may have carried out the statements.
        case lost
        /// No response came in time and the connection was abandoned; the server may still carry out the statements.
        case late
    }

    let cause: Cause
    /// An explanation for the operator's log, without stored values.
    let hint: String

    init(_ cause: Cause, hint: String) {
        self.cause = cause
        self.hint = hint
    }

    /// Reads the server's error.
    init(_ result: OpaquePointer) {
        let state = SQLState(siwa_pq_sql_state(result).map { String(cString: $0) } ?? "")
        let severity = siwa_pq_severity(result).map { String(cString: $0) }
        let message = siwa_pq_message(result).map { String(cString: $0) }
        let constraint = siwa_pq_constraint(result).map { String(cString: $0) }
        // An error of libpq itself has no state and means that the connection is lost.
        let cause: Cause =
            state.code.isEmpty
            ? .lost
            : .refused(state, isFatal: severity != "ERROR")
        // Messages about data contain the data.
        let words = state.isAboutData ? constraint ?? "a value was refused" : message ?? ""
        self.init(
            cause,
            hint: state.code.isEmpty
                ? "PostgreSQL: the connection was lost" : "PostgreSQL \(state.code): \(words)"
        )
    }

    /// Whether the exchange may succeed at once on another connection.
    var isOfConnection: Bool {
        switch cause {
        case .notSent, .lost: true
        case .late: false
        case .refused(let state, _): state.spoilsConnection
        }
    }

    /// Why an exchange that changed nothing may be retried; nil when it must not.
    var retryReason: Retries.Reason? {
        if state?.isConstraint == true { return .constraint }
        if state?.isConflict == true { return .conflict }
        return isOfConnection ? .loss : nil
    }

    /// Why an exchange with a commit may be retried: it was not sent, or the server refused it; otherwise nil.
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

/// The five-character code of a PostgreSQL error.
///
/// Source: [PostgreSQL Error Codes](https://www.postgresql.org/docs/current/errcodes-appendix.html)
struct SQLState: Hashable {
    let code: String

    init(_ code: String) {
        self.code = code
    }

    private var errorClass: Substring { code.prefix(2) }

    /// Whether the error is a data exception or a violated constraint.
    var isAboutData: Bool { errorClass == "22" || errorClass == "23" }

    /// Whether two transactions conflicted and this one must be retried.
    var isConflict: Bool { code == "40001" || code == "40P01" }

    /// Whether a row that another transaction just wrote or deleted violates a constraint.
    ///
    /// A transaction that reads before it writes sees the change when it is retried.
    var isConstraint: Bool { code == "23505" || code == "23503" }

    /// Whether the table does not exist, or not yet.
    var isUndefinedTable: Bool { code == "42P01" }

    /// Whether the server does not know if the transaction was committed.
    var isOutcomeUnknown: Bool { code == "40003" || code == "08007" }

    /// Whether waiting or another server may help: connection, resources, shutdown, read-only server, timeout, lost plan
    /// or prepared statement.
    var isPassing: Bool {
        ["08", "53", "57", "58"].contains(errorClass)
            || [
                "25006", "25P03", "40000", "40001", "40P01", "40002", "55P03", "55006", "26000",
                "42P05",
            ]
            .contains(code)
            || isChangedPlan
    }

    /// The statement was cancelled, by its timeout or on request.
    private static let cancelled = "57014"

    /// Whether a table changed since the statement was prepared.
    private var isChangedPlan: Bool { code == "0A000" }

    /// Whether another connection may succeed: after a standby, a server that shuts down, or a proxy that lost prepared
    /// statements.
    var spoilsConnection: Bool {
        ["08", "58"].contains(errorClass) || (errorClass == "57" && code != Self.cancelled)
            || ["25006", "25P03", "26000", "42P05"].contains(code) || isChangedPlan
    }
}

extension AccountStoreError {
    /// Classifies a failure that changed nothing as temporary or permanent.
    init(_ failure: PostgreSQLFailure) {
        switch failure.cause {
        case .notSent, .lost, .late: self.init(.unavailable, hint: failure.hint)
        case .refused(let state, _):
            self.init(state.isPassing ? .unavailable : .failed, hint: failure.hint)
        }
    }

    /// Classifies a failure of an exchange that commits changes.
    ///
    /// A proxy that loses the server sends a fatal error instead of the remaining responses, so all statements may have
    /// been carried out.
    init(committing failure: PostgreSQLFailure) {
        switch failure.cause {
        case .lost, .late: self.init(.outcomeUnknown, hint: failure.hint)
        case .refused(let state, let isFatal) where state.isOutcomeUnknown || isFatal:
            self.init(.outcomeUnknown, hint: failure.hint)
        default: self.init(failure)
        }
    }
}
