import HTTPTypes
import Hummingbird
import NIOCore
import SignInWithApple

extension Request {
    /// A request without a body.
    init(head: HTTPRequest) { self.init(head: head, body: RequestBody(buffer: ByteBuffer())) }

    /// The path of the page that follows the request.
    var returnPath: String {
        WebPath.returnPath(parameter(ReturnPath.parameter))
    }

    /// Returns a query parameter.
    func parameter(_ name: String) -> String? {
        uri.queryParameters[name[...]].map(String.init)
    }
}
