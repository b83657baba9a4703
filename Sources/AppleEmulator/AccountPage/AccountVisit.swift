import Crypto
import Foundation
import HTTPTypes
import SignedTokens

/// A request to the account page, and who sends it.
struct AccountVisit {
    let request: HTTPRequest
    /// The session's name in the browser's cookie, whether or not it is still good.
    let sessionIdentifier: String?
    /// Who is signed in with this browser.
    let person: Person?
    let browser: BrowserMark?

    init(_ request: HTTPRequest, in state: EmulatorState) {
        self.request = request
        let identifier = BrowserSession.identifier(of: request)
        sessionIdentifier = identifier
        person = state.authorizations.session(identifier, at: state.now)
            .flatMap { state.people[$0.personID] }
        browser = BrowserMark(of: request)
    }

    var isSecure: Bool { request.scheme == "https" }

    /// What every form of this session carries, so that nobody else can write one.
    ///
    /// It follows from the session's secret name, which it does not tell.
    var formToken: String {
        let text = "account form|" + (sessionIdentifier ?? "")
        return Base64URL.encode(Data(SHA256.hash(data: Data(text.utf8))))
    }

    /// Browsers without `Sec-Fetch-Site` name the origin that a form comes from.
    func checkOrigin() throws(OAuthRefusal) {
        guard let name = HTTPField.Name("Sec-Fetch-Site"), request.headerFields[name] == nil,
            // https://www.rfc-editor.org/rfc/rfc6454#section-7
            let origin = request.headerFields[.origin]
        else { return }
        let authority = URLComponents(string: origin).flatMap(Self.authority)
        guard let authority, authority == request.authority?.lowercased() else {
            throw .account(
                .otherSite,
                "the form was not sent by the account page: the Origin is not this page's",
                status: .forbidden
            )
        }
    }

    /// The form was made for this session.
    func checkToken(in fields: FormFields) throws(OAuthRefusal) {
        guard let sent = fields["token"], sent == formToken else {
            let reason = "the form's token is missing, or belongs to another session"
            throw .account(.outOfDate, reason, status: .forbidden)
        }
    }

    private static func authority(of origin: URLComponents) -> String? {
        guard let host = origin.host?.lowercased() else { return nil }
        return origin.port.map { "\(host):\($0)" } ?? host
    }
}
