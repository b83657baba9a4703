import Hummingbird
import SignInWithApple

extension Request {
    /// The own page that the address asks to go to afterwards.
    var returnPath: String {
        WebPath.returnPath(parameter(ReturnPath.parameter))
    }

    /// A parameter of the address.
    func parameter(_ name: String) -> String? {
        uri.queryParameters[name[...]].map(String.init)
    }
}
