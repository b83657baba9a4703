/// What a drawing of a flow is for.
package enum FlowPurpose: Sendable {
    /// A page of the control port that keeps itself up to date.
    case live
    /// One file that needs nothing else.
    case file
}
