import Accounts
import HTTPTypes
import Hummingbird
import SignInWithApple

/// The cookie of a browser in which a password was right or was set; it stays after signing out.
enum DeviceCookie {
    private static let name = "siwa-device"
    /// Browsers keep no cookie for longer than 400 days.
    private static let lifetime: Duration = .seconds(365 * 86_400)

    static func value(in request: Request, _ site: SiteCookies) -> String? {
        request.cookies[site.name(name)]?.value
    }

    fileprivate static func field(_ value: String, _ site: SiteCookies) -> HTTPField {
        .setCookie(site.setCookie(name, value, lifetime: lifetime))
    }
}

extension ServerParts {
    /// Remembers the browser after its user has signed in with the password or set it.
    func rememberDevice(
        of account: Account,
        in response: inout Response,
        _ request: Request
    ) async {
        guard let value = await accounts.knownDevice(of: account) else { return }
        response.headers.append(DeviceCookie.field(value, origins.cookies(of: request)))
    }
}
