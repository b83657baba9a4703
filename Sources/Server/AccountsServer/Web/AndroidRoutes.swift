import Accounts
import AppleIdentity
import CoreMetrics
import HTTPTypes
import Hummingbird
import Logging
import OpenAPIDescription
import SignInWithApple
import SignInWithAppleHummingbird

/// The routes that lead from Apple's page back to an Android app.
///
/// They create no session: the app sends the tokens to the native route, which verifies them.
struct AndroidRoutes: Sendable {
    static let path = "/sign-in/android/callback"
    private static let parameter = "package"
    /// The outcome when Apple's page returned an error, such as that of a user who cancelled.
    private static let refused = "apple_refused"

    let server: ServerParts

    /// Creates the routes, and the counters that every server has before the first request.
    init(server: ServerParts) {
        self.server = server
        for outcome in [SignInMeasures.success, Self.refused] { _ = counter(outcome) }
    }

    var routes: [Route] {
        let named = "\(Self.path)/{\(Self.parameter)}"
        return [
            Route(.post, Self.path, as: Self.operation("returnToAndroid", []), answer),
            Route(
                .post,
                named,
                as: Self.operation("returnToAndroidPackage", [Self.package]),
                answer
            ),
        ]
    }

    private func answer(_ request: Request, _ context: ServerContext) async throws -> Response {
        let package = context.parameters.get(Self.parameter)
        guard let app = server.configuration.androidApps.app(package) else {
            throw ServerError.notFound
        }
        let body = try await request.signInRequest(server.time)
            .content(
                type: SignInRequest.formType,
                maximumByteCount: CallbackForm.maximumByteCount
            )
        let callback: AuthorizationCallback
        do {
            callback = try AuthorizationCallback(formBody: body)
        } catch {
            count(error.code.rawValue)
            throw error
        }
        switch app.way {
        case .flutter:
            count(callback.error == nil ? SignInMeasures.success : Self.refused)
            let query = FormCoding.encode(try CallbackForm(body).fields())
            let target = "package=\(app.package);scheme=signinwithapple"
            return .seeOther("intent://callback?\(query)#Intent;\(target);end")
        case .capacitor(let url):
            let path = Self.path + (package.map { "/\($0)" } ?? "")
            let redirectURI = server.origins.origin(of: request).serialized + path
            var fields = await tokens(callback, redirectURI, context)
            if let state = callback.state { fields.append(("state", state)) }
            return .seeOther("\(url)?\(FormCoding.encode(fields))")
        }
    }

    /// Exchanges the code, because Capacitor's plug-in asks Apple for no token and reads no code.
    private func tokens(
        _ callback: AuthorizationCallback,
        _ redirectURI: String,
        _ context: ServerContext
    ) async -> [(name: String, value: String)] {
        if let code = callback.error {
            count(Self.refused)
            return [("success", "false"), ("error", code.rawValue)]
        }
        // The redirect hides a refusal from the middleware, and a wrong code costs a request to Apple.
        let network = context.client.network
        if let seconds = server.limiter.reserve(network) {
            let error = ServerError(AccountsError.tooManyRefusals(seconds: seconds))
            return [("success", "false"), ("error", report(error, context))]
        }
        var isRefused = false
        defer { if !isRefused { server.limiter.giveBack(network) } }
        do {
            guard let servicesID = server.configuration.servicesID else {
                throw ServerError.webSignInUnavailable
            }
            let (identityToken, resumeToken) = try await server.apple.exchangeForApp(
                callback.authorization(),
                clientID: servicesID,
                redirectURI: redirectURI,
                sealer: server.configuration.sealer
            )
            count(SignInMeasures.success)
            // The plug-in hands the access token to the app and does not use it.
            return [
                ("success", "true"), ("id_token", identityToken), ("access_token", resumeToken),
            ]
        } catch {
            let error = ServerError(any: error)
            isRefused = error.status.code < 500
            return [("success", "false"), ("error", report(error, context))]
        }
    }

    /// Logs and counts a refused exchange, and returns its code.
    private func report(_ error: ServerError, _ context: ServerContext) -> String {
        count(error.code)
        context.logger.log(
            level: SignInError.logLevel(ofStatus: error.status.code, code: error.code),
            "sign-in on Android refused",
            metadata: ["code": "\(error.code)", "hint": "\(error.hint)"]
        )
        return error.code
    }

    private func count(_ outcome: String) { counter(outcome).increment() }

    private func counter(_ outcome: String) -> Counter {
        Counter(
            label: "siwa_android_callbacks_total",
            dimensions: [("outcome", outcome)],
            factory: server.metrics.factory
        )
    }
}

extension AndroidRoutes {
    private static let package = Operation.Field.required(
        parameter,
        .text(lengths: 1...AndroidApps.maximumByteCount)
    )

    private static func operation(_ id: String, _ parameters: [Operation.Field]) -> Operation {
        Operation(
            id: id,
            group: .signingIn,
            summary: "Lead Apple's response back to an Android app",
            parameters: parameters,
            form: CallbackForm.Field.allCases.map { field in
                .optional(field.rawValue, .text(lengths: 0...field.maximumByteCount))
            },
            answer: Operation.Answer(
                status: .seeOther,
                description: "A redirect to the app, with Apple's fields or with tokens."
            ),
            otherRefusals: [
                .badRequest: ["callback_malformed", "state_duplicate"],
                .notFound: ["not_found"],
            ]
        )
    }
}
