import AppleIdentity
import Foundation

/// The JSON that Apple posts: an object with the signed notification as its `payload`.
///
/// Members beside it are let pass, so that Apple may add some.
struct NotificationBody {
    /// The longest body that is read, in bytes; Apple's have about a thousand.
    static let maximumByteCount = 32 * 1024

    let payload: String

    init(_ body: Data) throws(SignInError) {
        let object: JSONObject
        do {
            let limits = JSONLimits(maximumByteCount: Self.maximumByteCount)
            object = try JSONObject(parsing: body, limits: limits)
        } catch {
            throw Self.malformed("the body is not acceptable JSON: \(error)")
        }
        guard let payload = object["payload"]?.stringValue, !payload.isEmpty else {
            throw Self.malformed("the body has no text named \"payload\"")
        }
        self.payload = payload
    }

    private static func malformed(_ hint: String) -> SignInError {
        SignInError(.notificationMalformed, hint: hint)
    }
}
