import HTTPTypes

/// An error of your own that the routes respond to with its code, status and message.
///
/// Your functions can throw one instead of a ``RefusedSignIn``.
public protocol RefusalError: Error {
    /// The type of the code: a string, or an enumeration with a case for each code.
    associatedtype Code: CustomStringConvertible
    /// The error code, which does not change between versions.
    var code: Code { get }
    /// The status of the response.
    var status: HTTPResponse.Status { get }
    /// A message that is safe to show to the user.
    var message: String { get }
    /// Details for the server's log; never a secret.
    var hint: String { get }
    /// The values in the message, for a translation; empty by default.
    var parameters: [String: String] { get }
    /// Whether the same request may succeed later; false by default.
    var isRetryable: Bool { get }
    /// The time after which a retry may succeed; nil if unknown, which is the default.
    var retryAfter: Duration? { get }
}

extension RefusalError {
    /// No values.
    public var parameters: [String: String] { [:] }
    /// False: the same request fails again.
    public var isRetryable: Bool { false }
    /// Unknown.
    public var retryAfter: Duration? { nil }
}
