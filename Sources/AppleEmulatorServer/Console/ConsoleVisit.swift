import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A request for a page of the console, read.
struct ConsoleVisit: Sendable {
    /// The longest parameter of an address that is read, in bytes.
    static let maximumParameterByteCount = 512

    /// What was posted; nil for a plain visit.
    private(set) var input: ConsoleInput?
    /// Why what was posted is not done.
    var refusal: ControlRefusal?
    private let parameters: Parameters
    private let query: Parameters

    init(_ request: Request, context: some RequestContext) {
        parameters = context.parameters
        query = request.uri.queryParameters
    }

    /// Reads a posted form.
    static func posted(
        _ request: Request,
        context: some RequestContext
    ) async throws -> ConsoleVisit {
        try checkSource(of: request)
        let type = (request.headers[.contentType] ?? "").prefix { $0 != ";" }
        guard type.lowercased() == "application/x-www-form-urlencoded" else {
            throw ControlProblem(
                status: .unsupportedMediaType,
                code: "unsupported_media_type",
                message: "The console takes forms; programs send JSON to the other addresses."
            )
        }
        var visit = ConsoleVisit(request, context: context)
        do {
            let limit = ControlRequest.maximumBodyByteCount
            let body = try await request.body.collect(upTo: limit)
            visit.input = try ConsoleInput(body.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ControlProblem.tooLarge
        }
        return visit
    }

    /// Only the console's own pages post forms; `ControlGuard` has refused every other origin
    /// that was named.
    ///
    /// A browser names one of the two with each form, so a form without both is nobody's.
    /// Source: [Fetch, section 3.2](https://fetch.spec.whatwg.org/#origin-header)
    private static func checkSource(of request: Request) throws {
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
        guard request.headers[.origin] != nil || site == "same-origin" else {
            throw ControlProblem.crossSite
        }
    }

    /// What was done last.
    var notice: ConsoleNotice? {
        ConsoleNotice(rawValue: query(ConsoleNotice.parameter))
    }

    /// A parameter of the query; empty when it is not there, or too long to be meant.
    func query(_ name: String) -> String {
        guard let text = query.get(name), text.utf8.count <= Self.maximumParameterByteCount else {
            return ""
        }
        return text
    }

    /// A part of the path.
    func parameter(_ name: String) -> String {
        let text = parameters.get(name)?.removingPercentEncoding ?? ""
        return text.utf8.count <= Self.maximumParameterByteCount ? text : ""
    }

    /// A field of the posted form; empty when it is not there.
    subscript(name: String) -> String { input?[name] ?? "" }

    /// The members that the posted form means.
    func object(of form: ConsoleForm) -> JSONObject { form.object(of: input) }

    /// The form as the page shows it: as it was filled in, with the problem at its field, when this
    /// is the one that was refused.
    func content(of form: ConsoleForm) -> JSONValue {
        let isRefused = refusal != nil && self["form"] == form.id
        return .object(
            form.content(filledWith: isRefused ? input : nil, refusal: isRefused ? refusal : nil)
        )
    }

    /// Whether this form was refused, so that it is shown open.
    func hasRefused(_ form: ConsoleForm) -> Bool { refusal != nil && self["form"] == form.id }
}
