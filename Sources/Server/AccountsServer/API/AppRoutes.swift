import AppleIdentity
import HTTPTypes
import Hummingbird
import OpenAPIDescription

/// The routes that an app or its system reads without a session.
struct AppRoutes: Sendable {
    /// How long apps and proxies may keep the responses, which change only with the settings.
    private static let cacheControl = "public, max-age=3600"

    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, "/api/sign-in-methods", as: Self.methods) { _, _ in
                Self.cached(.json(methods))
            },
            Route(.get, WebPath.appAssociation) { request, _ in
                let configuration = server.configuration
                let origin = server.origins.origin(of: request)
                let document = configuration.associatedApps.document(
                    configuration.appRedirects,
                    origin: origin.serialized
                )
                guard let document else { throw ServerError.notFound }
                return Self.cached(.json(document))
            },
        ]
    }

    private var methods: JSONObject {
        // Apple's sheet in an app needs a bundle ID among the clients.
        let apple: [JSONValue] = server.configuration.nativeClientIDs.isEmpty ? [] : ["apple"]
        return ["methods": .array(apple + ["password"])]
    }

    private static func cached(_ response: Response) -> Response {
        var response = response
        response.headers[.cacheControl] = cacheControl
        return response
    }
}

extension AppRoutes {
    private static let methods = Operation(
        id: "listSignInMethods",
        group: .signingIn,
        summary: "The sign-in methods that an app offers",
        answer: .ok(
            "The methods. An app ignores unknown ones.",
            .object([.required("methods", .list(of: .word(["apple", "password"])))])
        )
    )
}
