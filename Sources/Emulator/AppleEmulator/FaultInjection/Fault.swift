import AppleIdentity
import Foundation
import HTTPTypes
import OpenAPIDescription

struct Fault {
    /// Statuses without a body: RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5.
    /// https://www.rfc-editor.org/rfc/rfc9110#section-15.3.5
    static let statusesWithoutBody: Set<Int> = [204, 205, 304]

    struct Header {
        let text: String
        let name: HTTPField.Name
        /// The value; nil removes the field.
        let value: String?
    }

    /// The number by which it is removed; 0 until it is added.
    var id = 0
    var path = ""
    /// The only client whose requests it concerns; nil for any.
    var clientID: ClientID?
    var status: Int?
    private var delayMilliseconds: Int?
    private var body: String?
    private var contentType: String?
    private var headers: [Header] = []
    private var isDropping = false
    private var probability = 1.0
    private var skippedCount = 0
    var remainingCount = 1
    private var generator = SeededGenerator(seed: 0)
    private var seed = 0 {
        didSet { generator = SeededGenerator(seed: UInt64(seed)) }
    }

    mutating func isMet() -> Bool {
        guard skippedCount == 0 else {
            skippedCount -= 1
            return false
        }
        return probability >= 1 || generator.chance(probability)
    }

    /// The response instead of Apple's; nil if the fault does not replace it.
    var outcome: Outcome? {
        guard status != nil || body != nil || isDropping else { return nil }
        var response = HTTPResponse(status: HTTPResponse.Status(code: status ?? 200))
        if let body {
            let isJSON = (try? JSONValue(parsing: Data(body.utf8))) != nil
            response.headerFields[.contentType] =
                isJSON ? "application/json;charset=UTF-8" : "text/html;charset=UTF-8"
        }
        return Outcome(
            answer: EmulatorAnswer(
                response: response,
                body: Data((body ?? "").utf8),
                isDropped: isDropping
            ),
            remark: Remark(
                error: "fault",
                reason: isDropping
                    ? "a fault closed the connection" : "a fault set this response",
                hint: remainingCount > 1
                    ? "DELETE /faults/\(id) on the control port removes it"
                    : "this fault, such as the tour's, is now used up: the next request gets"
                        + " Apple's own response"
            )
        )
    }

    func alter(_ answer: inout EmulatorAnswer) {
        if let delayMilliseconds { answer.delay = .milliseconds(delayMilliseconds) }
        for field in headers { answer.response.headerFields[field.name] = field.value }
        if let contentType { answer.response.headerFields[.contentType] = contentType }
    }
}

// MARK: Reading and writing

extension Fault: SchemaObject {
    /// A fault in a request, without the fields that count requests.
    static let requestSchema = ObjectSchema(
        Fault(),
        .optional("status", \.status, .integer(in: 200...599)),
        .optional(
            "delay_ms",
            \.delayMilliseconds,
            .integer(in: 0...FaultStore.maximumDelayMilliseconds)
        ),
        .optional("body", \.body, .faultBody),
        .optional("content_type", \.contentType, .headerValue),
        .usual("headers", \.headers, .faultHeaders) { !$0.isEmpty },
        .usual("drop", \.isDropping, .boolean),
        check: { fault throws(ControlRefusal) in try fault.check() }
    )
    static let schema = ObjectSchema(
        Fault(),
        .required("endpoint", \.path, .endpoint),
        .optional("client_id", \.clientID, .identifier),
        .part(\.self, requestSchema),
        .usual("probability", \.probability, .probability) { $0 < 1 },
        .optional("seed", \.usedSeed, .integer(in: 0...Int.max)),
        .usual("skip", \.skippedCount, .integer(in: 0...1_000_000)) { $0 > 0 },
        .usual("count", \.remainingCount, .integer(in: 1...1_000_000)),
        check: { fault throws(ControlRefusal) in try fault.check() }
    )
    /// The form in a state, with the state of the random number generator.
    static let keptSchema = schema.adding(
        .usual("id", \.id, .count),
        .optional("generator_state", \.generatorState, .largeNumber)
    )

    /// The seed, if the fault is random.
    private var usedSeed: Int? {
        get { probability < 1 ? seed : nil }
        set { seed = newValue ?? 0 }
    }

    private var generatorState: UInt64? {
        get { probability < 1 ? generator.state : nil }
        set { newValue.map { generator = SeededGenerator(seed: $0) } }
    }

    var object: JSONObject {
        (["id": .integer(id)] as JSONObject).merging(Self.schema.write(self))
    }

    private func check() throws(ControlRefusal) {
        guard clientID == nil || ![ApplePath.keys, ApplePath.discovery].contains(path) else {
            throw .wrong("client_id", "can't be combined with an endpoint that is for all clients")
        }
        // A client that expects no body for the status would read it as the next response.
        guard body == nil || !Self.statusesWithoutBody.contains(status ?? 200) else {
            throw .wrong("body", "can't be combined with status \(status ?? 200), which has none")
        }
        let changesAnswer = body != nil || contentType != nil || !headers.isEmpty
        guard changesAnswer || status != nil || delayMilliseconds != nil || isDropping else {
            throw .wrong(
                "status",
                "or one of delay_ms, body, content_type, headers and drop is required"
            )
        }
    }
}

extension ValueForm<String> {
    /// The path of an endpoint, which also has a short name.
    fileprivate static let endpoint = ValueForm(
        "must be one of \(FaultStore.endpointNames.joined(separator: ", ")), or its path",
        as: .word(FaultStore.endpointNames.flatMap { [$0, FaultStore.path($0) ?? $0] }),
        { $0.stringValue.flatMap(FaultStore.path) },
        { .string($0) }
    )

    /// A string is sent as it is, any other value as JSON.
    fileprivate static let faultBody = ValueForm(
        "is longer than \(FaultStore.maximumBodyByteCount) bytes",
        { value in
            let body = value.plainText
            return body.utf8.count <= FaultStore.maximumBodyByteCount ? body : nil
        },
        { .string($0) }
    )

    /// Visible characters, between which there may be spaces.
    fileprivate static let headerPattern =
        #"^([^\x00-\x20\x7F-\x9F]+( +[^\x00-\x20\x7F-\x9F]+)*)?$"#

    fileprivate static let headerValue = text.checked(
        "is not allowed in a header field",
        .text(lengths: 1...FieldReader.maximumTextCount, pattern: headerPattern),
        HTTPField.isValidValue
    )
}

extension ValueForm<Double> {
    fileprivate static let probability = ValueForm(
        "must be a number above 0, at most 1",
        as: JSONSchema.number.restricted(by: ["exclusiveMinimum": 0, "maximum": 1]),
        { $0.numberValue.flatMap { $0 > 0 && $0 <= 1 ? $0 : nil } },
        { .number($0) }
    )
}

extension ValueForm<[Fault.Header]> {
    private static let maximumCount = 20
    /// Fields that would make the connection unreadable.
    private static let framingNames = ["content-length", "transfer-encoding", "connection"]

    private static let schema = JSONSchema.members.restricted(by: [
        "maxProperties": .integer(maximumCount),
        "propertyNames": [
            "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
            "not": ["enum": .array(framingNames.map { .string($0) })],
        ],
        "additionalProperties": .object(
            JSONSchema.text(pattern: ValueForm<String>.headerPattern).orNull.json
        ),
    ])

    fileprivate static let faultHeaders = ValueForm(
        schema,
        reading: { reader, field throws(ControlRefusal) in
            guard let object = try reader.read(field, .members) else { return nil }
            guard object.members.count <= maximumCount else {
                throw .wrong(field, "has more than \(maximumCount) entries")
            }
            var headers: [Fault.Header] = []
            for member in object.members { headers.append(try header(member, field)) }
            return headers
        },
        { headers in
            .object(
                JSONObject(
                    headers.map {
                        .init(name: $0.text, value: $0.value.map { .string($0) } ?? .null)
                    }
                )
            )
        }
    )

    private static func header(
        _ member: JSONObject.Member,
        _ field: String
    ) throws(ControlRefusal) -> Fault.Header {
        guard let name = HTTPField.Name(member.name), !framingNames.contains(name.canonicalName)
        else { throw .wrong(field, "can't have a field named \"\(member.name.prefix(64))\"") }
        let value = member.value.stringValue
        guard member.value == .null || value.map(HTTPField.isValidValue) == true else {
            throw .wrong(field, "must have strings as values, or null to remove a field")
        }
        return Fault.Header(text: member.name, name: name, value: value)
    }
}

struct FaultStore {
    static let maximumFaultCount = 100
    static let maximumDelayMilliseconds = 600_000
    static let maximumBodyByteCount = 1_024 * 1_024

    private static let endpoints = [
        "authorize": ApplePath.authorize, "token": ApplePath.token, "revoke": ApplePath.revoke,
        "usermigrationinfo": ApplePath.userMigrationInformation,
        "keys": ApplePath.keys, "discovery": ApplePath.discovery,
    ]

    static var endpointNames: [String] { endpoints.keys.sorted() }

    private(set) var faults: [Fault] = []
    /// The highest ID so far; IDs are not used again.
    var lastID = 0

    var objects: [JSONObject] { faults.map(\.object) }

    mutating func clear() { faults = [] }

    /// Removes a fault; returns false if there is none with this ID.
    mutating func remove(_ id: Int) -> Bool {
        guard let index = faults.firstIndex(where: { $0.id == id }) else { return false }
        faults.remove(at: index)
        return true
    }

    /// The path of an endpoint by its short name or its path; nil for any other.
    static func path(_ endpoint: String) -> String? {
        endpoints[endpoint] ?? (endpoints.values.contains(endpoint) ? endpoint : nil)
    }

    mutating func add(_ fault: Fault) throws(ControlRefusal) -> JSONObject {
        guard faults.count < Self.maximumFaultCount else {
            throw .full("count", "\(Self.maximumFaultCount) faults")
        }
        var fault = fault
        if fault.id == 0 { fault.id = lastID + 1 }
        lastID = max(lastID, fault.id)
        faults.append(fault)
        return fault.object
    }

    /// Returns the fault for the next request to a path, and reduces its remaining count.
    mutating func next(path: String, clientID: () -> ClientID?) -> Fault? {
        for index in faults.indices where faults[index].path == path {
            if let client = faults[index].clientID, client != clientID() { continue }
            guard faults[index].isMet() else { continue }
            let fault = faults[index]
            faults[index].remainingCount -= 1
            if faults[index].remainingCount == 0 { faults.remove(at: index) }
            return fault
        }
        return nil
    }
}
