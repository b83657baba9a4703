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
                Self.cached(.json(offer))
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

    private var offer: JSONObject {
        let brand = server.configuration.brand
        // Apple's sheet in an app needs a bundle ID among the clients.
        let apple: [JSONValue] = server.configuration.nativeClientIDs.isEmpty ? [] : ["apple"]
        var offer: JSONObject = ["methods": .array(apple + ["password"])]
        if brand.logo != nil {
            offer["logo"] = .string(server.origins.publicURL + server.pages.assets.mark.path)
        }
        offer["termsURL"] = brand.links[.terms].map { .string($0) }
        offer["privacyURL"] = brand.links[.privacy].map { .string($0) }
        return offer
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
        summary: "The sign-in methods that an app offers, and the team's logo and links",
        answer: .ok(
            "The methods, of which an app ignores unknown ones, and what is set of the rest.",
            .object([
                .required("methods", .list(of: .word(["apple", "password"]))),
                .optional("logo", .text("The URL of an SVG or PNG file.")),
                .optional("termsURL", .text()), .optional("privacyURL", .text()),
            ])
        )
    )
}
