import Foundation
import HTTPTypes

/// A response of the emulator, with its delay or closed connection.
public struct EmulatorAnswer: Sendable {
    /// The status and the header fields.
    public var response: HTTPResponse
    /// The body; empty if `AppleEmulatorPages` still has to render a page.
    public var body: Data
    /// The page that `AppleEmulatorPages` renders.
    package var page: EmulatorPage?
    /// The delay before the response, set by a fault; nil for none.
    public var delay: Duration?
    /// Whether the connection is closed without a response.
    public var isDropped: Bool
    /// The token in the body that is signed before the response is sent.
    var unsignedToken: UnsignedToken?

    /// Creates a response.
    public init(
        response: HTTPResponse,
        body: Data = Data(),
        delay: Duration? = nil,
        isDropped: Bool = false
    ) {
        (self.response, self.body, self.delay) = (response, body, delay)
        self.isDropped = isDropped
    }

    package var mayHaveBody: Bool { !Fault.statusesWithoutBody.contains(response.status.code) }

    /// Turns it into the response to a HEAD request: the length of the GET response, but no body.
    ///
    /// RFC 9110, section 8.6. https://www.rfc-editor.org/rfc/rfc9110#section-8.6
    package mutating func keepLengthAlone() {
        guard page == nil else { return }
        if mayHaveBody { response.headerFields[.contentLength] = String(body.count) }
        body = Data()
    }
}
