import Foundation
import HTTPTypes
import Hummingbird
import SignInWithApple

/// A cookie named after what it is about, whose content only servers with the same key can read.
///
/// `SameSite=None`, because Apple's answer is posted from another site.
struct SealedCookie {
    /// `__Host-` keeps neighbouring hosts from writing it.
    let prefix: String
    let context: SealingContext
    /// Seconds for which the client keeps it.
    let lifetime: Int
    let sealer: TokenSealer

    private var name: String { prefix + context.tag }

    /// The content, when the request brings the cookie and it was sealed for this context.
    func value<Value: Decodable>(in request: Request) -> Value? {
        request.cookies[name]
            .flatMap { try? sealer.open($0.value, for: context) }
            .flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    func isPart(of request: Request) -> Bool {
        request.cookies[name] != nil
    }

    func field(_ value: some Encodable) throws -> HTTPField {
        field(try sealer.seal(try JSONEncoder().encode(value), for: context), lifetime)
    }

    var cleared: HTTPField { field("", 0) }

    private func field(_ value: String, _ lifetime: Int) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: "\(name)=\(value); Max-Age=\(lifetime); Path=/; Secure; HttpOnly; SameSite=None"
        )
    }
}
