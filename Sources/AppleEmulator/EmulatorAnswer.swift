import Foundation
import HTTPTypes

/// What the emulated Apple answers, and how the wire shall carry it.
///
/// A page is a value: `AppleEmulatorPages` draws it, so that the rules know nothing of HTML.
public struct EmulatorAnswer: Sendable {
    /// Status and header fields.
    public var response: HTTPResponse
    /// The body; empty while a page waits to be drawn.
    public var body: Data
    /// What a browser is shown; `AppleEmulatorPages` draws it.
    package var page: EmulatorPage?
    /// How long to wait before answering, when a fault asks for it.
    public var delay: Duration?
    /// Whether the connection shall be closed without any answer.
    public var isDropped: Bool
    /// The token in the body that is to be signed before the answer leaves.
    var unsignedToken: UnsignedToken?

    /// Makes an answer.
    public init(
        response: HTTPResponse,
        body: Data = Data(),
        delay: Duration? = nil,
        isDropped: Bool = false
    ) {
        self.response = response
        self.body = body
        self.delay = delay
        self.isDropped = isDropped
    }

    package var mayHaveBody: Bool { !Fault.statusesWithoutBody.contains(response.status.code) }

    /// Makes it the answer to a HEAD: the length of what GET would send, and nothing of it.
    ///
    /// RFC 9110, section 8.6. https://www.rfc-editor.org/rfc/rfc9110#section-8.6
    package mutating func keepLengthAlone() {
        guard page == nil else { return }
        if mayHaveBody { response.headerFields[.contentLength] = String(body.count) }
        body = Data()
    }
}
