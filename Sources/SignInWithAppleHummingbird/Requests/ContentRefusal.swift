/// Why a request's content is not read.
package enum ContentRefusal: Error, Hashable, Sendable {
    /// It is not of the type that is read here.
    case unsupportedType(expected: String)
    /// It has more bytes than are read.
    case tooLarge(maximumByteCount: Int)
    /// It was not there in time.
    case tooSlow(maximumSeconds: Int)
}
