import AppleIdentity
import Foundation
import HTTPTypes

/// Switches and a fault that apply only to the request which has them.
///
/// They are an addition to Apple's API, which a strict emulator refuses.
struct RequestSwitches {
    static let maximumByteCount = 4_096
    /// The header field with a JSON object.
    static let fieldName = "X-Siwa-Switches"
    /// The query parameter with the JSON object, for URLs opened in a browser.
    static let queryName = "siwa_switches"
    /// The member with a fault, as in `POST /faults` but without the fields that count requests.
    static let faultName = "fault"
    /// The fields that a fault in a query cannot have.
    ///
    /// Any website can link to such a URL: with its own body it would run a script on this origin.
    private static let headerFaultNames = ["body", "content_type", "headers"]

    let switches: JSONObject
    let fault: Fault?

    /// Reads the switches and the fault of a request; nil if it has none.
    init?(_ request: HTTPRequest, query: String) throws(ControlRefusal) {
        guard let source = try Source(request, query) else { return nil }
        guard source.text.utf8.count <= Self.maximumByteCount else {
            throw .wrong(source.name, "is longer than \(Self.maximumByteCount) bytes")
        }
        let data = Data(source.text.utf8)
        guard var object = try? JSONObject(parsing: data) else {
            throw .wrong(
                source.name,
                "must be a JSON object such as {\"boolean_claims\": \"text\"}"
            )
        }
        switch object[Self.faultName] {
        case nil: fault = nil
        case .object(let members): fault = try source.fault(members)
        default: throw .wrong(Self.faultName, "must be an object")
        }
        object[Self.faultName] = nil
        switches = object
    }

    private struct Source {
        let name: String
        let text: String

        init?(_ request: HTTPRequest, _ query: String) throws(ControlRefusal) {
            let field = HTTPField.Name(fieldName).flatMap { request.headerFields[$0] }
            let parameters = query.split(separator: "&").map {
                $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            }
            .filter { FormCoding.text($0[0].utf8) == queryName }
            guard parameters.count + (field == nil ? 0 : 1) <= 1 else {
                throw .wrong(field == nil ? queryName : fieldName, "is repeated")
            }
            if let field {
                (name, text) = (fieldName, field)
                return
            }
            guard let parameter = parameters.first else { return nil }
            guard let text = FormCoding.text((parameter.count > 1 ? parameter[1] : "").utf8) else {
                throw .wrong(queryName, "is not percent-encoded UTF-8")
            }
            (name, self.text) = (queryName, text)
        }

        func fault(_ members: JSONObject) throws(ControlRefusal) -> Fault {
            if name == queryName, let member = members.names.first(where: headerFaultNames.contains)
            {
                throw .wrong(member, "of a fault is accepted only in the header field \(fieldName)")
            }
            return try Fault.requestSchema.read(members)
        }
    }
}
