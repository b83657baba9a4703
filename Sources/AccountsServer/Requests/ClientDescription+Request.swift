import Accounts
import HTMLPages
import HTTPTypes
import Hummingbird
import SignInWithAppleHummingbird

extension ServerParts {
    /// Who sends a request.
    func client(of request: Request) -> ClientDescription {
        let token = request.sessionToken(origins.cookies(of: request))
        return ClientDescription(request.head, previousSessionToken: token)
    }
}

extension ClientDescription {
    /// Who sends a request, by its head alone.
    init(_ head: HTTPRequest, previousSessionToken: String?) {
        self.init(
            device: DeviceDescription.of(head),
            address: RequestTrace.current?.clientNetwork ?? "none",
            peer: RequestTrace.current?.peer ?? "",
            program: DeviceDescription.program(of: head),
            language: PageLanguage(preferredBy: head.headerFields[.acceptLanguage]).tag,
            previousSessionToken: previousSessionToken
        )
    }
}
