/// Why a payload does not hold the claims expected.
package enum ClaimsError: Error, Hashable, Sendable {
    /// It is not JSON, or not acceptable.
    case unreadable(JSONError)
    /// It belongs to another kind of token.
    case otherKind
    /// A claim is missing, or null.
    case missing(String)
    /// A claim is of another type.
    case wrongType(String)

    init(_ error: JSONFieldError) {
        self =
            switch error {
            case .missing(let name): .missing(name)
            case .wrongType(let name, _), .unknown(let name, _): .wrongType(name)
            }
    }
}
