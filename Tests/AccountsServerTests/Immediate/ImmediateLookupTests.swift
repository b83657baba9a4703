import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Synchronization
import Testing

@testable import AccountsServer

@Suite("A request for which the store is asked on its connection")
struct ImmediateLookupTests {
    private let lookups = HeldLookups()
    private let connection: ImmediateConnection
    private let check: [HTTPRequestPart] = [.head(ImmediateConnection.known), .end(nil)]
    private let other: [HTTPRequestPart] = [
        .head(HTTPRequest(method: .get, path: "/sign-in", token: nil)), .end(nil),
    ]

    init() throws {
        connection = try ImmediateConnection { [lookups] _, receiver in
            lookups.hold(receiver)
            return .awaited
        }
    }

    @Test("is answered when the store has answered, with the fields that any answer has")
    func answered() throws {
        try connection.send(check)
        #expect(try connection.answer() == nil)
        give("Maya")
        let answer = try #require(try connection.answer())
        #expect(answer.status == .ok)
        #expect(answer.headerFields[.contentLength] == "4")
        #expect(answer.headerFields[.cacheControl] == "no-store")
        #expect(answer.headerFields[.date] == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(connection.handedOn.isEmpty)
    }

    @Test("is refused with a problem document when the store has nothing or fails")
    func refused() throws {
        let failure = AccountStoreError(.unavailable, hint: "told to fail")
        let cases: [(Result<SignedInSession?, AccountStoreError>, HTTPResponse.Status)] = [
            (.success(nil), .unauthorized), (.failure(failure), .internalServerError),
        ]
        for (result, status) in cases {
            try connection.send(check)
            give { () throws(AccountStoreError) in try result.get() }
            let head = try #require(try connection.answer())
            #expect(head.status == status)
            let type = head.headerFields[.contentType]
            #expect(type == "application/problem+json; charset=utf-8")
            let body = try connection.channel.readOutbound(as: HTTPResponsePart.self)
            guard case .body(let document) = body else {
                Issue.record("there is no document")
                continue
            }
            #expect(head.headerFields[.contentLength] == "\(document.readableBytes)")
            #expect(try connection.channel.readOutbound(as: HTTPResponsePart.self) == .end(nil))
        }
        #expect(connection.handedOn.isEmpty)
    }

    @Test("is answered at once by a store that answers while it is asked, as is the one behind it")
    func early() throws {
        let connection = try ImmediateConnection { _, receiver in
            receiver.take { Self.signedIn("Maya") }
            receiver.answersEnd()
            return .awaited
        }
        // Nothing that the event loop was told to do later is done.
        try connection.send(check + check)
        for _ in 0..<2 { #expect(try connection.document() == "Maya") }
        #expect(connection.handedOn.isEmpty)
    }

    @Test("is refused at once when the store finds nothing or takes no more, and the next is not")
    func refusedEarly() throws {
        let failure = AccountStoreError(.unavailable, hint: "too many reads wait")
        let found = Mutex<[Result<SignedInSession?, AccountStoreError>]>([
            .success(nil), .failure(failure), .success(Self.signedIn("Maya")),
        ])
        let connection = try ImmediateConnection { _, receiver in
            let result = found.withLock { $0.removeFirst() }
            receiver.take { () throws(AccountStoreError) in try result.get() }
            receiver.answersEnd()
            return .awaited
        }
        try connection.send(check + check + check)
        for status in [HTTPResponse.Status.unauthorized, .internalServerError] {
            #expect(try connection.answer()?.status == status)
            _ = try connection.channel.readOutbound(as: HTTPResponsePart.self)
            #expect(try connection.channel.readOutbound(as: HTTPResponsePart.self) == .end(nil))
        }
        #expect(try connection.document() == "Maya")
    }

    @Test(
        "leaves nothing to do behind the answer that closes the connection",
        arguments: [true, false]
    )
    func behindTheLast(isEarly: Bool) throws {
        let connection = try ImmediateConnection { [lookups] _, receiver in
            if isEarly { receiver.take { Self.signedIn("Maya") } } else { lookups.hold(receiver) }
            return .awaited
        }
        let pipeline = connection.channel.pipeline
        pipeline.fireChannelRead(check[0])
        pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        pipeline.fireChannelRead(check[1])
        if !isEarly { give("Maya", on: connection) }
        #expect(try connection.document() == "Maya")
        #expect(!connection.channel.isActive)
        // The parser goes on with what came along, and its client was told to repeat it elsewhere.
        try connection.send(other)
        connection.channel.embeddedEventLoop.run()
        #expect(connection.handedOn.isEmpty)
    }

    @Test("is not overtaken by those that came behind it")
    func order() throws {
        try connection.send(check + check)
        try connection.send(check + other + check)
        for name in ["Maya", "Noah", "Ida"] {
            #expect(connection.handedOn.isEmpty)
            #expect(lookups.count == 1)
            give(name)
            #expect(try connection.document() == name)
        }
        #expect(connection.handedOn == other + check)
        #expect(lookups.count == 0)
    }

    @Test("has the body and the end of the next one behind it")
    func body() throws {
        let parts: [HTTPRequestPart] = [
            .head(HTTPRequest(method: .post, path: "/api/nonces", token: nil)),
            .body(ByteBuffer(string: "x")), .end(nil),
        ]
        try connection.send(check + parts.prefix(1))
        try connection.send(Array(parts.suffix(2)))
        give("Maya")
        #expect(connection.handedOn == parts)
    }

    @Test("stops the reading once something is behind it, until it is answered")
    func backPressure() throws {
        try connection.send(check)
        connection.channel.read()
        #expect(connection.readCount == 1)
        try connection.send(other)
        for _ in 0..<3 { connection.channel.read() }
        #expect(connection.readCount == 1)
        give("Maya")
        #expect(connection.readCount == 2)
        connection.channel.read()
        #expect(connection.readCount == 3)
    }

    @Test("keeps the reading stopped while the next one waits with something behind it")
    func moreBackPressure() throws {
        try connection.send(check + check + other)
        connection.channel.read()
        give("Maya")
        #expect(connection.readCount == 0)
        give("Noah")
        #expect(connection.readCount == 1)
    }

    @Test("is forgotten when the connection ends, with what is behind it")
    func closed() throws {
        try connection.send(check + other)
        try connection.channel.close().wait()
        connection.channel.embeddedEventLoop.run()
        give("Maya")
        #expect(connection.handedOn.isEmpty)
        #expect(lookups.count == 0)
        #expect(try connection.answer() == nil)
    }

    @Test("is answered before the connection of a server that stops is closed")
    func stopping() throws {
        try connection.send(check + check)
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        for name in ["Maya", "Noah"] {
            #expect(connection.channel.isActive)
            give(name)
            #expect(try connection.document() == name)
        }
        #expect(!connection.channel.isActive)
    }

    @Test("is answered before what the parser found wrong behind it, and the end of what comes")
    func ends() throws {
        try connection.send(check)
        connection.channel.pipeline.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(connection.told.isEmpty)
        give("Maya")
        #expect(try connection.document() == "Maya")
        #expect(connection.told == ["\(HTTPParserError.invalidHeaderToken)", "inputClosed"])
    }

    private func give(_ name: String) {
        give { Self.signedIn(name) }
    }

    private func give(_ name: String, on connection: ImmediateConnection) {
        lookups.give { Self.signedIn(name) }
        connection.channel.embeddedEventLoop.run()
    }

    private func give(_ answer: @escaping SessionAnswer) {
        lookups.give(answer)
        connection.channel.embeddedEventLoop.run()
    }

    private static func signedIn(_ name: String) -> SignedInSession {
        let date = Date(timeIntervalSince1970: 0)
        return SignedInSession(
            session: Session(
                id: SessionID("s"),
                accountID: AccountID("a"),
                device: "Maya's phone",
                signInMethod: .apple,
                createdAt: date,
                signedInAt: date,
                lastUsedAt: date,
                expiresAt: date
            ),
            account: Account(id: AccountID("a"), name: AccountName(name), createdAt: date)
        )
    }
}
