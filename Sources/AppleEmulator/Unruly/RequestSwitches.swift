import AppleIdentity
import Foundation
import HTTPTypes

/// What a request to Apple's port asks of the emulator for itself alone: switches and a fault.
///
/// Apple knows no such thing; a strict emulator refuses it.
struct RequestSwitches {
    /// The longest text read, in bytes.
    static let byteCountMax = 4_096
    /// The header field with a JSON object.
    static let fieldName = "X-Siwa-Switches"
    /// The query's parameter with the same, for addresses that a browser opens.
    static let queryName = "siwa_switches"
    /// The member that is a fault, as `POST /faults` takes it but for `endpoint` and `count`.
    static let faultName = "fault"

    /// The switches.
    let switches: JSONObject
    /// The fault's members; nil for none.
    let fault: JSONObject?

    /// Reads what a request asks for; nil when it asks for nothing.
    init?(_ request: HTTPRequest, query: String) throws(ControlRefusal) {
        guard let text = try Self.text(request, query) else { return nil }
        guard text.utf8.count <= Self.byteCountMax else {
            throw .wrong(Self.fieldName, "is longer than \(Self.byteCountMax) bytes")
        }
        let data = Data(text.utf8)
        guard (try? JSONMemberCheck.check(data)) != nil,
            var object = (try? JSONValue(parsing: data))?.objectValue
        else {
            throw .wrong(
                Self.fieldName,
                "must be a JSON object such as {\"boolean_claims\": \"text\"}"
            )
        }
        switch object[Self.faultName] {
        case nil: fault = nil
        case .object(let members): fault = members
        default: throw .wrong(Self.faultName, "must be an object")
        }
        object[Self.faultName] = nil
        switches = object
    }

    private static func text(
        _ request: HTTPRequest,
        _ query: String
    ) throws(ControlRefusal) -> String? {
        if let name = HTTPField.Name(fieldName), let text = request.headerFields[name] {
            return text
        }
        guard
            let pair = query.split(separator: "&").first(where: { $0.hasPrefix(queryName + "=") })
        else { return nil }
        let encoded = pair.dropFirst(queryName.count + 1).replacing("+", with: "%20")
        guard let text = String(encoded).removingPercentEncoding else {
            throw .wrong(queryName, "is not percent-encoded UTF-8")
        }
        return text
    }
}
