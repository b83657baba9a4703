import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes

/// A response with accessors for its parts.
struct Reply {
    let answer: EmulatorAnswer

    init(_ answer: EmulatorAnswer) { self.answer = answer }

    var status: Int { answer.response.status.code }
    var text: String { String(decoding: answer.body, as: UTF8.self) }
    var json: JSONObject { (try? JSONValue(parsing: answer.body).objectValue) ?? [:] }

    subscript(name: String) -> String? { json[name]?.stringValue }

    func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { answer.response.headerFields[$0] }
    }

    /// The hidden fields of a page, in order.
    var hiddenPairs: [(name: String, value: String)] { answer.page?.hiddenFields ?? [] }

    var hiddenFields: [String: String] {
        Dictionary(hiddenPairs.map { ($0.name, $0.value) }) { first, _ in first }
    }

    var location: URLComponents? { header("Location").flatMap { URLComponents(string: $0) } }

    var cookie: String? { header("Set-Cookie").map { String($0.prefix { $0 != ";" }) } }
}
