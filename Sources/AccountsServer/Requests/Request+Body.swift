import AppleIdentity
import Foundation
import Hummingbird
import SignInWithAppleHummingbird

extension Request {
    /// The whole body, when it is of this type, not too large, and there in time.
    func body(type: String, maximumByteCount: Int, time: TimeSource) async throws -> Data {
        do {
            return try await content(
                type: type,
                maximumByteCount: maximumByteCount,
                maximumSeconds: ServerLimits.bodyDeadline,
                time: time
            )
        } catch let refusal as ContentRefusal {
            throw ServerError(refusal)
        }
    }

    /// The members of the JSON object that the body is.
    func jsonFields(time: TimeSource) async throws -> JSONFields {
        let body = try await body(
            type: "application/json",
            maximumByteCount: ServerLimits.maximumJsonByteCount,
            time: time
        )
        do {
            return JSONFields(try JSONObject(parsing: body))
        } catch {
            throw ServerError.unreadableJSON("the body is not an acceptable JSON object: \(error)")
        }
    }

    func form(
        maximumByteCount: Int = ServerLimits.maximumFormByteCount,
        time: TimeSource
    ) async throws -> PostedForm {
        let body = try await formBody(maximumByteCount: maximumByteCount, time: time)
        guard let form = PostedForm(body) else {
            throw ServerError.unreadableForm("a broken escape, not UTF-8, or too many fields")
        }
        return form
    }

    func formBody(maximumByteCount: Int, time: TimeSource) async throws -> Data {
        try await body(
            type: "application/x-www-form-urlencoded",
            maximumByteCount: maximumByteCount,
            time: time
        )
    }
}
