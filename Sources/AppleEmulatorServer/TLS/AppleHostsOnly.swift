import HTTPTypes
import Hummingbird
import NIOCore

/// Apple's port over TLS: requests for Apple's own hosts go on, as `https`; others don't.
struct AppleHostsOnly: HTTPResponder {
    let port: ApplePort

    func respond(to request: Request, context: ApplePortContext) async throws -> Response {
        guard let authority = request.head.authority, AppleHosts.contain(authority: authority)
        else { return Self.misdirected }
        var head = request.head
        // The server does not know that the connection is secure.
        head.scheme = "https"
        return try await port.respond(
            to: Request(head: head, body: request.body),
            context: context
        )
    }

    // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.20
    private static var misdirected: Response {
        var headers: HTTPFields = [.contentType: "text/plain; charset=utf-8"]
        // Its body was not read.
        headers[.connection] = "close"
        PortSecurity.complete(&headers)
        let names = AppleHosts.names.joined(separator: ", ")
        let text = "this port answers for \(names) alone, and the request is for another host\n"
        return Response(
            status: .misdirectedRequest,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
