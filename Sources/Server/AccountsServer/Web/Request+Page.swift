import Hummingbird
import SignInWithApple

extension Request {
    /// The path of the page that follows the request.
    var returnPath: String {
        WebPath.returnPath(parameter(ReturnPath.parameter))
    }

    /// Returns a query parameter.
    func parameter(_ name: String) -> String? {
        uri.queryParameters[name[...]].map(String.init)
    }
}
