import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Testing

@testable import AccountsServer

@Suite("A request whose response is in memory")
struct ImmediateAnswerTests {
    /// Those of a request with a body, and of the last request of a connection.
    private static let fields = [
        HTTPField(name: .contentLength, value: "1"),
        HTTPField(name: .transferEncoding, value: "chunked"),
        HTTPField(name: .connection, value: "close"),
    ]

    private let connection: ImmediateConnection

    init() throws {
        connection = try ImmediateConnection { request in
            request.headers[.authorization] == "Bearer known" ? ByteBuffer(string: "{}") : nil
        }
    }

    @Test("gets its response on the connection, with the usual header fields")
    func answered() throws {
        connection.send(.head(ImmediateConnection.known), .end(nil))
        #expect(connection.handedOn.isEmpty)
        let answer = try #require(try connection.answer())
        #expect(answer.status == .ok)
        #expect(answer.headerFields[.contentType] == "application/json; charset=utf-8")
        #expect(answer.headerFields[.contentLength] == "2")
        #expect(answer.headerFields[.cacheControl] == "no-store")
        #expect(answer.headerFields[.date] == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(try connection.document() == "{}")
    }

    @Test(
        "takes the ordinary route when it is another request",
        arguments: [
            HTTPRequest(method: .get, path: "/api/account", token: "unknown"),
            HTTPRequest(method: .get, path: "/api/account", token: nil),
            HTTPRequest(method: .get, path: "/api/account?a=b", token: "known"),
            HTTPRequest(method: .get, path: "/api/accounts", token: "known"),
            HTTPRequest(method: .delete, path: "/api/account", token: "known"),
            HTTPRequest(method: .head, path: "/api/account", token: "known"),
        ] + fields.map { HTTPRequest(method: .get, path: "/api/account", token: "known", $0) }
    )
    func other(_ head: HTTPRequest) throws {
        connection.send(.head(head), .end(nil))
        #expect(connection.handedOn == [.head(head), .end(nil)])
        #expect(try connection.answer() == nil)
    }

    @Test("waits for the response to an earlier request")
    func order() throws {
        let other = HTTPRequest(method: .get, path: "/sign-in", token: nil)
        connection.send(.head(other), .end(nil), .head(ImmediateConnection.known), .end(nil))
        #expect(connection.handedOn.count == 4)
        #expect(try connection.answer() == nil)
        try connection.answerUsually()
        try connection.answerUsually()
        connection.send(.head(ImmediateConnection.known), .end(nil))
        #expect(connection.handedOn.count == 4)
        #expect(try connection.answer() != nil)
    }

    @Test("takes the ordinary route when the client does not read its responses")
    func unread() throws {
        connection.channel.isWritable = false
        connection.send(.head(ImmediateConnection.known), .end(nil))
        #expect(connection.handedOn.count == 2)
    }

    @Test("gets its response in order among requests in memory")
    func pipelined() throws {
        let known = ImmediateConnection.known
        connection.send(.head(known), .end(nil), .head(known), .end(nil))
        for _ in 0..<2 {
            #expect(try connection.answer()?.status == .ok)
            #expect(try connection.document() == "{}")
        }
        #expect(try connection.answer() == nil)
        #expect(connection.handedOn.isEmpty)
    }

    @Test("is the last of a connection whose server stops")
    func stopping() throws {
        let channel = connection.channel
        channel.pipeline.fireChannelRead(HTTPRequestPart.head(ImmediateConnection.known))
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(channel.isActive)
        connection.send(.end(nil))
        #expect(try connection.answer() != nil)
        #expect(!channel.isActive)
        // The parser continues with the data that it has; its client must repeat the request
        // elsewhere.
        let other = HTTPRequest(method: .get, path: "/sign-in", token: nil)
        connection.send(.head(other), .end(nil))
        #expect(connection.handedOn.isEmpty)
    }
}
