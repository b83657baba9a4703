/// Why there is no certificate authority to serve with: a sentence, and what to do.
package struct TLSFailure: Error, Hashable, CustomStringConvertible {
    /// One lower-case line.
    package let message: String
    /// What fixes it.
    package let hint: String

    package var description: String { message }
}
