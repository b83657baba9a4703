import Accounts
import HTMLPages
import HTTPTypes
import Hummingbird
import SignInWithApple

extension ServerParts {
    /// Describes the client of a request.
    func client(of request: Request) -> ClientDescription {
        let cookies = origins.cookies(of: request)
        let token = request.head.sessionToken(cookies)
        var client = ClientDescription(request.head, previousSessionToken: token)
        client.knownDevice = DeviceCookie.value(in: request, cookies)
        return client
    }
}

extension ClientDescription {
    /// Describes the client of a request by its head.
    init(_ head: HTTPRequest, previousSessionToken: String?) {
        let network = RequestTrace.current?.clientNetwork ?? ClientNetwork(ClientNetwork.none)
        self.init(
            device: DeviceDescription.of(head),
            address: network.text,
            widerNetwork: network.wider,
            isThisMachine: network.isThisMachine,
            peer: RequestTrace.current?.peer ?? "",
            program: DeviceDescription.program(of: head),
            language: PageLanguage(preferredBy: head.headerFields[.acceptLanguage]).tag,
            previousSessionToken: previousSessionToken
        )
    }
}
