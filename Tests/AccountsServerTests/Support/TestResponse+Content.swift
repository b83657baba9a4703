import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

extension TestResponse {
    var text: String { String(buffer: body) }

    var json: JSONObject? {
        (try? JSONValue(parsing: Data(text.utf8)))?.objectValue
    }

    /// The code of a problem document, or of an error page.
    var code: String? {
        if let code = json?["code"]?.stringValue { return code }
        guard let start = text.range(of: "data-code=\"") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }
}

/// Expects a refusal with the given status and code.
func expectRefusal(
    _ answer: TestResponse,
    _ status: HTTPResponse.Status,
    _ code: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
    #expect(answer.code == code, "\(answer.text)", sourceLocation: sourceLocation)
}

extension HTTPFields {
    static func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }
    static let json: HTTPFields = [.contentType: "application/json"]
}
