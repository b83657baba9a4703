import Accounts
import HTMLPages
import HTTPTypes
import Hummingbird
import SignInWithApple

extension ServerParts {
    /// Describes the client of a request.
    func client(of request: Request, _ context: ServerContext) -> ClientDescription {
        let cookies = origins.cookies(of: request)
        let token = request.head.sessionToken(cookies)
        var client = ClientDescription(request.head, context, previousSessionToken: token)
        client.knownDevice = DeviceCookie.value(in: request, cookies)
        return client
    }
}

extension ClientDescription {
    /// Describes the client of a request by its head and its address.
    init(_ head: HTTPRequest, _ context: ServerContext, previousSessionToken: String?) {
        let address = context.client.address
        let network = ClientNetwork(address)
        self.init(
            device: DeviceDescription.of(head),
            address: network.text,
            widerNetwork: network.wider,
            isThisMachine: network.isThisMachine,
            peer: address,
            program: DeviceDescription.program(of: head),
            language: PageLanguage(preferredBy: head.headerFields[.acceptLanguage]).tag,
            previousSessionToken: previousSessionToken
        )
    }
}
