import AppleIdentity
import Foundation
import HTTPTypes

/// What an app sends after the system's sheet.
struct NativeSignInRequest {
    /// The members that a request may have.
    private static let members = ["identityToken", "authorizationCode", "nonce", "fullName"]

    let identityToken: String
    let authorizationCode: String?
    let nonce: String?
    /// The name, if the app sent one with something in it.
    let name: PersonName?

    /// Reads the JSON of a request; no member may be there twice, or be unknown.
    ///
    /// Apple tells the name once, so that a misspelt member must not lose it.
    static func read(_ body: Data) throws(RouteRefusal) -> NativeSignInRequest {
        let request: NativeSignInRequest
        do {
            request = try NativeSignInRequest(JSONFields(JSONObject(parsing: body)))
        } catch {
            throw refusal(error)
        }
        try check(request.authorizationCode?.utf8.count, RouteLimits.maximumCodeByteCount, "code")
        try check(request.nonce?.utf8.count, RouteLimits.maximumNonceByteCount, "nonce")
        let name = request.name?.displayName
        try check(name?.count, RouteLimits.maximumNameCharacterCount, "name")
        return request
    }

    private init(_ fields: JSONFields) throws(JSONFieldError) {
        try fields.refuseOthers(than: Self.members)
        identityToken = try fields.text("identityToken")
        authorizationCode = try fields.optionalText("authorizationCode")
        nonce = try fields.optionalText("nonce")
        name = try fields.optionalFields("fullName").flatMap(PersonName.init(components:))
    }

    private static func refusal(_ error: any Error) -> RouteRefusal {
        if case JSONFieldError.unknown(let name, _) = error {
            return RouteRefusal(
                "field_unknown",
                .badRequest,
                "The field \(Excerpt.quoting(name)) is not known here.",
                hint: "\(error)"
            )
        }
        return RouteRefusal(
            "json_unreadable",
            .badRequest,
            "The request has to be a JSON object with the text identityToken.",
            hint: "\(error)"
        )
    }

    private static func check(
        _ count: Int?,
        _ limit: Int,
        _ field: String
    ) throws(RouteRefusal) {
        guard count ?? 0 > limit else { return }
        throw RouteRefusal(
            "\(field)_too_long",
            .unprocessableContent,
            "The \(field) is too long.",
            hint: "the \(field) is longer than \(limit)"
        )
    }
}
