import Accounts
import HTMLPages
import HTTPTypes
import Hummingbird
import SignInWithAppleHummingbird

extension ClientDescription {
    /// Who sends a request.
    init(_ request: Request) {
        self.init(request.head, previousSessionToken: request.signInSessionToken)
    }

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
