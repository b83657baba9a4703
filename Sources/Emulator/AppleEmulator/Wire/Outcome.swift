import AppleIdentity
import HTTPTypes

/// A response and its entry in the request log.
struct Outcome {
    var answer: EmulatorAnswer
    var remark = Remark()

    /// A response with `Cache-Control: no-store`, as all of Apple's responses with tokens.
    static func json(
        _ object: JSONObject,
        status: HTTPResponse.Status = .ok,
        remark: Remark = Remark()
    ) -> Outcome {
        var response = HTTPResponse(status: status)
        response.headerFields[.contentType] = "application/json;charset=UTF-8"
        response.headerFields[.cacheControl] = "no-store"
        response.headerFields[.pragma] = "no-cache"
        return Outcome(
            answer: EmulatorAnswer(response: response, body: object.data),
            remark: remark
        )
    }

    static func page(
        _ page: EmulatorPage,
        status: HTTPResponse.Status = .ok,
        remark: Remark = Remark()
    ) -> Outcome {
        var answer = EmulatorAnswer(response: HTTPResponse(status: status))
        answer.page = page
        return Outcome(answer: answer, remark: remark)
    }

    /// A refusal of an endpoint: status 400, even for a client that is not authenticated.
    static func refusal(_ refusal: OAuthRefusal, clientID: String? = nil) -> Outcome {
        var outcome = json(
            refusal.object,
            status: refusal.status,
            remark: Remark(refusal, clientID: clientID)
        )
        outcome.answer.response.headerFields[.retryAfter] =
            refusal.retryAfterSeconds.map { String($0) }
        return outcome
    }

    static func redirect(to address: String, status: HTTPResponse.Status) -> Outcome {
        var response = HTTPResponse(status: status)
        response.headerFields[.location] = address
        response.headerFields[.cacheControl] = "no-store"
        if let referrerPolicy = HTTPField.Name("Referrer-Policy") {
            response.headerFields[referrerPolicy] = "no-referrer"
        }
        return Outcome(answer: EmulatorAnswer(response: response))
    }

    static func methodNotAllowed(_ request: HTTPRequest, allowed: String) -> Outcome {
        var outcome = refusal(
            OAuthRefusal(
                .methodNotAllowed,
                reason: "this path does not support \(request.method.rawValue)",
                status: .methodNotAllowed
            )
            .hint("use \(allowed)")
        )
        outcome.answer.response.headerFields[.allow] = allowed
        return outcome
    }
}

extension HTTPField.Name {
    static var pragma: HTTPField.Name { HTTPField.Name("Pragma") ?? .cacheControl }
}
