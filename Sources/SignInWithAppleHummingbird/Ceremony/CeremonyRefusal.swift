/// Why a posted answer belongs to no ceremony of the browser that posted it; nothing was changed.
package enum CeremonyRefusal: Error, Hashable, Sendable {
    /// The answer has no state.
    case missing
    /// The answer has more than one state.
    case doubled
    /// The ceremony was begun in another browser, or has been finished already.
    case foreign
    /// The ceremony is too old.
    case expired
}
