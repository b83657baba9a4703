import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A parsed request for a page of the console.
struct ConsoleVisit: Sendable {
    static let maximumParameterByteCount = 512

    let world: World
    /// The posted form; nil for GET.
    private(set) var input: ConsoleInput?
    /// The reason why the posted form was refused.
    var refusal: ControlRefusal?
    private let parameters: Parameters
    /// The query; nil if it is malformed.
    private let query: ConsoleInput?

    init(_ request: Request, context: ControlContext) {
        world = context.world
        parameters = context.parameters
        query = try? ConsoleInput((request.uri.query ?? "").utf8)
    }

    static func posted(
        _ request: Request,
        context: ControlContext
    ) async throws -> ConsoleVisit {
        try checkSource(of: request)
        let type = (request.headers[.contentType] ?? "").prefix { $0 != ";" }
        guard type.lowercased() == "application/x-www-form-urlencoded" else {
            throw ControlProblem(
                status: .unsupportedMediaType,
                code: "unsupported_media_type",
                message: "The console accepts only forms; programs send JSON to the other paths."
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

    /// Accepts forms of the console's own pages only.
    ///
    /// `ControlGuard` has refused other origins. A browser sends `Origin` or `Sec-Fetch-Site` with
    /// each form, so a form without both did not come from a page.
    /// Source: [Fetch, section 3.2](https://fetch.spec.whatwg.org/#origin-header)
    private static func checkSource(of request: Request) throws {
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
        guard request.headers[.origin] != nil || site == "same-origin" else {
            throw ControlProblem.crossSite
        }
    }

    var emulator: AppleEmulator { world.emulator }

    var notice: ConsoleNotice? { ConsoleNotice(rawValue: query(ConsoleNotice.parameter)) }

    /// Whether the page lists what `siwa check` did, which is left out otherwise.
    var isOfCheck: Bool { query("of_check") == "true" }

    /// A parameter of the query, in which forms write a space as `+`; empty if it is missing or
    /// too long.
    func query(_ name: String) -> String {
        guard let text = query?[name], text.utf8.count <= Self.maximumParameterByteCount else {
            return ""
        }
        return text
    }

    func parameter(_ name: String) -> String {
        let text = parameters.get(name)?.removingPercentEncoding ?? ""
        return text.utf8.count <= Self.maximumParameterByteCount ? text : ""
    }

    /// A field of the posted form; empty if it is missing.
    subscript(name: String) -> String { input?[name] ?? "" }

    func object(of form: ConsoleForm) -> JSONObject { form.object(of: input) }

    /// The values of a form that changes an object; an empty field restores its default.
    func patch(of form: ConsoleForm) -> JSONObject {
        form.fieldNames.reduce(into: form.object(of: input)) { $0[$1] = $0[$1] ?? .null }
    }

    /// The form for the page; if it was refused, with its input and the problem at its field.
    func content(of form: ConsoleForm) -> JSONValue {
        let refused = hasRefused(form) ? self : nil
        return .object(form.content(filledWith: refused?.input, refusal: refused?.refusal))
    }

    /// Whether this form was refused; the page then shows it open.
    func hasRefused(_ form: ConsoleForm) -> Bool { refusal != nil && self["form"] == form.id }
}

/// The fields of a form or a query.
struct ConsoleInput: Sendable {
    private let fields: FormFields

    init(_ text: some Collection<UInt8>) throws(ControlProblem) {
        do throws(OAuthRefusal) {
            // The limit of the body applies, because a text may be long.
            fields = try FormFields(parsing: text, maximumFieldByteCount: .max)
        } catch {
            throw .malformed(ConsoleText.sentence(error.reason))
        }
    }

    /// A field; browsers end the lines of a text area with CR and LF.
    subscript(name: String) -> String? {
        fields.sent(name)?.replacingOccurrences(of: "\r\n", with: "\n")
    }
}

/// The result of a posted form.
enum ConsoleOutcome {
    /// It was done; the browser is redirected to a page with the notice, or to a part of it.
    case done(ConsoleNotice, at: String, part: String? = nil)
    /// It was done; the response shows a page that is shown only once.
    case shown(ConsolePage, ConsoleNotice)
}
