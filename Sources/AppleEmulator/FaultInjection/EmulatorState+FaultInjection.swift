import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    mutating func injectingFaults(
        _ request: HTTPRequest,
        path: String,
        query: String,
        _ route: (inout EmulatorState) -> Outcome
    ) -> Outcome {
        let lasting = switches
        defer {
            switches = lasting
            requestedSwitches = [:]
            chaosTurn = nil
        }
        let turn = chaos?.turn(path: path)
        chaosTurn = turn
        renewsKey = turn?.renewsKey ?? false
        do throws(ControlRefusal) {
            if let turn { try switches.change(turn.switches, isForRequest: true) }
            let overrides = try RequestSwitches(request, query: query)
            if let overrides { try grant(overrides) }
            let fault = overrides?.fault ?? faults.take(path: path)
            var outcome = fault?.outcome ?? turn?.outcome ?? route(&self)
            turn?.alter(&outcome)
            fault?.alter(&outcome.answer)
            if overrides != nil {
                outcome.remark.add(hint: "this request asked for switches of its own")
            } else if !requestedSwitches.names.isEmpty {
                outcome.remark.add(hint: "the sign-in began with switches of its own")
            }
            return outcome
        } catch {
            return Self.refused(error)
        }
    }

    private mutating func grant(_ overrides: RequestSwitches) throws(ControlRefusal) {
        guard !configuration.isStrict else {
            throw ControlRefusal(
                kind: .malformed,
                message: "a strict emulator takes no switches from requests"
            )
        }
        try switches.change(overrides.switches, isForRequest: true)
        requestedSwitches = overrides.switches
    }

    /// Sets the switches that a sign-in began with; what the request at hand asks for comes first.
    mutating func carryOn(_ earlier: JSONObject) {
        guard !earlier.names.isEmpty else { return }
        let all = earlier.merging(requestedSwitches)
        // They were taken before, each of them.
        try? switches.change(all, isForRequest: true)
        requestedSwitches = all
    }

    private static func refused(_ refusal: ControlRefusal) -> Outcome {
        .refusal(
            OAuthRefusal(.invalidSwitches, text: refusal.message, reason: refusal.message)
                .hint("GET /switches on the control port lists them")
        )
    }
}

/// What a request to Apple's port asks of the emulator for itself alone: switches and a fault.
///
/// Apple knows no such thing; a strict emulator refuses it.
struct RequestSwitches {
    static let maximumByteCount = 4_096
    /// The header field with a JSON object.
    static let fieldName = "X-Siwa-Switches"
    /// The query's parameter with the same, for addresses that a browser opens.
    static let queryName = "siwa_switches"
    /// The member that is a fault, as `POST /faults` takes it but for what counts requests.
    static let faultName = "fault"
    /// The fields that a fault in a query can't have.
    ///
    /// Any link can have one: with a body of its own it would run somebody's script as Apple's.
    private static let headerFaultNames = ["body", "content_type", "headers"]

    let switches: JSONObject
    let fault: Fault?

    /// Reads what a request asks for; nil when it asks for nothing.
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
            .filter { Self.decoded($0[0]) == queryName }
            guard parameters.count + (field == nil ? 0 : 1) <= 1 else {
                throw .wrong(field == nil ? queryName : fieldName, "is there twice")
            }
            if let field {
                (name, text) = (fieldName, field)
                return
            }
            guard let parameter = parameters.first else { return nil }
            guard let text = Self.decoded(parameter.count > 1 ? parameter[1] : "") else {
                throw .wrong(queryName, "is not percent-encoded UTF-8")
            }
            (name, self.text) = (queryName, text)
        }

        func fault(_ members: JSONObject) throws(ControlRefusal) -> Fault {
            if name == queryName, let member = members.names.first(where: headerFaultNames.contains)
            {
                throw .wrong(member, "of a fault is taken from the field \(fieldName) alone")
            }
            return try Fault.requestSchema.read(members)
        }

        private static func decoded(_ text: Substring) -> String? {
            String(text.replacing("+", with: "%20")).removingPercentEncoding
        }
    }
}
