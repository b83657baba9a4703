import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Testing

@testable import AccountsServer

@Suite("A request that memory can answer")
struct ImmediateAnswerTests {
    private let connection: ImmediateConnection

    init() throws {
        connection = try ImmediateConnection { request, _ in
            request.headers[.authorization] == "Bearer known"
                ? .written(ByteBuffer(string: "{}")) : .impossible
        }
    }

    @Test("is answered on the connection, with the fields that any answer has")
    func answered() throws {
        try connection.send(.head(ImmediateConnection.known), .end(nil))
        #expect(connection.handedOn.isEmpty)
        let answer = try #require(try connection.answer())
        #expect(answer.status == .ok)
        #expect(answer.headerFields[.contentType] == "application/json; charset=utf-8")
        #expect(answer.headerFields[.contentLength] == "2")
        #expect(answer.headerFields[.cacheControl] == "no-store")
        #expect(answer.headerFields[.date] == "Thu, 01 Jan 1970 00:00:00 GMT")
        let body = try connection.channel.readOutbound(as: HTTPResponsePart.self)
        #expect(body == .body(ByteBuffer(string: "{}")))
        #expect(try connection.channel.readOutbound(as: HTTPResponsePart.self) == .end(nil))
    }

    @Test(
        "goes the usual way when it is another one",
        arguments: [
            HTTPRequest(method: .get, path: "/api/account", token: "unknown"),
            HTTPRequest(method: .get, path: "/api/account", token: nil),
            HTTPRequest(method: .get, path: "/api/account?a=b", token: "known"),
            HTTPRequest(method: .get, path: "/api/accounts", token: "known"),
            HTTPRequest(method: .delete, path: "/api/account", token: "known"),
            HTTPRequest(method: .head, path: "/api/account", token: "known"),
            HTTPRequest(method: .get, path: "/api/account", token: "known", connection: "close"),
        ]
    )
    func other(_ head: HTTPRequest) throws {
        try connection.send(.head(head), .end(nil))
        #expect(connection.handedOn == [.head(head), .end(nil)])
        #expect(try connection.answer() == nil)
    }

    @Test("goes the usual way when it has a body, or its end is still to come")
    func body() throws {
        let parts: [HTTPRequestPart] = [
            .head(ImmediateConnection.known), .body(ByteBuffer(string: "x")), .end(nil),
        ]
        try connection.send(parts[0], parts[1], parts[2])
        #expect(connection.handedOn == parts)
        try connection.answerUsually()

        try connection.send(parts[0])
        #expect(connection.handedOn.count == 4)
        try connection.send(parts[2])
        #expect(connection.handedOn.count == 5)
        #expect(try connection.answer() == nil)
    }

    @Test("waits its turn behind a request that is not answered yet")
    func order() throws {
        let other = HTTPRequest(method: .get, path: "/sign-in", token: nil)
        try connection.send(.head(other), .end(nil), .head(ImmediateConnection.known), .end(nil))
        #expect(connection.handedOn.count == 4)
        #expect(try connection.answer() == nil)
        try connection.answerUsually()
        try connection.answerUsually()
        try connection.send(.head(ImmediateConnection.known), .end(nil))
        #expect(connection.handedOn.count == 4)
        #expect(try connection.answer() != nil)
    }

    @Test("is not answered at once to a client that takes no answers")
    func unread() throws {
        connection.channel.isWritable = false
        try connection.send(.head(ImmediateConnection.known), .end(nil))
        #expect(connection.handedOn.count == 2)
    }

    @Test("is the last of a connection whose server stops")
    func stopping() throws {
        let channel = connection.channel
        channel.pipeline.fireChannelRead(HTTPRequestPart.head(ImmediateConnection.known))
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(channel.isActive)
        try connection.send(.end(nil))
        #expect(try connection.answer() != nil)
        #expect(!channel.isActive)
    }

    @Test("is handed on before what the parser found wrong in it")
    func malformed() throws {
        connection.channel.pipeline.fireChannelRead(HTTPRequestPart.head(ImmediateConnection.known))
        connection.channel.pipeline.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        #expect(connection.handedOn == [.head(ImmediateConnection.known)])
    }
}
