import AppleIdentity
import Foundation
import HTTPTypes

/// What an app sends after the system's sheet.
struct NativeSignInRequest: Decodable {
    let identityToken: String
    let authorizationCode: String?
    let nonce: String?
    let fullName: PersonName?

    /// Reads the JSON of a request; no member may be there twice.
    static func read(_ body: Data) throws(RouteRefusal) -> NativeSignInRequest {
        guard
            (try? JSONValue(parsing: body)) != nil,
            let request = try? JSONDecoder().decode(NativeSignInRequest.self, from: body)
        else {
            throw RouteRefusal(
                "json_unreadable",
                .badRequest,
                "The request has to be a JSON object with the text identityToken.",
                hint: "it is not JSON, lacks identityToken, or a member is of another type"
            )
        }
        try check(request.authorizationCode?.utf8.count, RouteLimits.maximumCodeByteCount, "code")
        try check(request.nonce?.utf8.count, RouteLimits.maximumNonceByteCount, "nonce")
        let name = request.fullName?.displayName
        try check(name?.count, RouteLimits.maximumNameCharacterCount, "name")
        return request
    }

    /// The name, if the app sent one with something in it.
    var name: PersonName? {
        let name = PersonName(givenName: fullName?.givenName, familyName: fullName?.familyName)
        return name.isEmpty ? nil : name
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
