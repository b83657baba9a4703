import NIOCore
import NIOHTTP1

final class RequestCheck: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var isRefused = false
    /// Whether the parser reads nothing after the last request.
    private var isLast = false
    private var unansweredCount = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        guard case .head(var head) = unwrapInboundIn(data) else {
            context.fireChannelRead(data)
            return
        }
        let fields = Fields(head.headers)
        guard Self.hasOneHost(fields, head.version), Self.hasKnownCoding(fields, head.version)
        else {
            isRefused = true
            // Hummingbird responds to the parser's errors with 400, after the requests before this one.
            context.fireErrorCaught(HTTPParserError.strictModeAssertion)
            return
        }
        unansweredCount += 1
        isLast = isLast || Self.endsParsing(fields, head.method)
        // Hummingbird checks for exactly this value.
        guard !head.isKeepAlive || isLast else {
            context.fireChannelRead(data)
            return
        }
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where isLast && unansweredCount == 1:
            head.headers.replaceOrAdd(name: "connection", value: "close")
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end: unansweredCount -= 1
        case .head, .body: break
        }
        context.write(data, promise: promise)
    }

    /// Whether SwiftNIO's parser expects another protocol after this request, and stops reading.
    ///
    /// Java's client offers HTTP/2 this way; a server may ignore it.
    ///
    /// Source: [RFC 9110, section 7.8](https://www.rfc-editor.org/rfc/rfc9110#section-7.8)
    private static func endsParsing(_ fields: Fields, _ method: HTTPMethod) -> Bool {
        fields.asksUpgrade || method == .CONNECT
    }

    /// RFC 9112, section 3.2: 400 for an HTTP/1.1 request without Host, for any with more than one, and for
    /// an invalid host.
    /// https://www.rfc-editor.org/rfc/rfc9112#section-3.2
    private static func hasOneHost(_ fields: Fields, _ version: HTTPVersion) -> Bool {
        guard let host = fields.host else { return version == .http1_0 }
        return fields.hostCount == 1
            && !host.utf8.contains { $0 == 0x09 || $0 == 0x20 || $0 == 0x2C }
    }

    /// RFC 9112, section 6.1: an unknown coding is rejected.
    ///
    /// So is one in an older version, and one together with a length, which permits request smuggling.
    /// https://www.rfc-editor.org/rfc/rfc9112#section-6.1
    private static func hasKnownCoding(_ fields: Fields, _ version: HTTPVersion) -> Bool {
        guard let coding = fields.coding else { return true }
        return fields.codingCount == 1 && coding.lowercased() == "chunked"
            && version == .http1_1 && !fields.hasLength
    }
}

/// The fields of a request about its framing, its host, and a change of the protocol.
private struct Fields {
    var host: String?
    var hostCount = 0
    var coding: String?
    var codingCount = 0
    var hasLength = false
    var asksUpgrade = false

    /// Reads each field once: this runs for every request.
    init(_ headers: HTTPHeaders) {
        for (name, value) in headers { note(name, value) }
    }

    /// The length of a name excludes most fields.
    private mutating func note(_ name: String, _ value: String) {
        switch name.utf8.count {
        case 4 where Self.isName(name, "host"):
            host = host ?? value
            hostCount += 1
        case 7 where Self.isName(name, "upgrade"): asksUpgrade = true
        case 14 where Self.isName(name, "content-length"): hasLength = true
        case 17 where Self.isName(name, "transfer-encoding"):
            // A list in one field is more than one coding.
            coding = coding ?? value
            codingCount += 1
        default: break
        }
    }

    private static func isName(_ name: String, _ lowercased: StaticString) -> Bool {
        lowercased.withUTF8Buffer { expected in
            name.utf8.elementsEqual(expected) { $0 | 0x20 == $1 }
        }
    }
}
