import AppleIdentity
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Sends and reads JSON, like an app or a script.
struct HTTPCaller: Sendable {
    private static let maximumAnswerByteCount = 32 * 1024 * 1024

    /// Waits longer for a connection than the shared client, for a busy machine.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.timeout.connect = .seconds(60)
        return HTTPClient(configuration: configuration)
    }()

    struct Answer: Sendable {
        let status: Int
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }

        /// The body as a JSON object; empty if it is not one.
        var object: JSONObject { (try? JSONValue(parsing: body).objectValue) ?? JSONObject() }
    }

    let base: URL
    var token: String?

    /// Sends a request.
    ///
    /// - Throws: the client's error without a response.
    func send(_ method: String, _ path: String, _ object: JSONObject? = nil) async throws -> Answer
    {
        let root = base.absoluteString
        let address = (root.hasSuffix("/") ? String(root.dropLast()) : root) + path
        var request = HTTPClientRequest(url: address)
        request.method = HTTPMethod(rawValue: method)
        if let object {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: object.data))
        }
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        let response = try await Self.client.execute(request, timeout: .seconds(60))
        let body = try await response.body.collect(upTo: Self.maximumAnswerByteCount)
        return Answer(status: Int(response.status.code), body: Data(body.readableBytesView))
    }

    /// Signs in with a device's credentials, and continues with the session.
    ///
    /// - Returns: the response.
    @discardableResult
    mutating func signIn(_ device: JSONObject, nonce: String? = nil) async throws -> JSONObject {
        let request = try Self.request(from: device, nonce: nonce)
        let answer = try await require("POST", "/api/sessions/apple", request)
        token = answer["token"]?.stringValue
        return answer
    }

    /// The request that an app sends with its device's credentials.
    static func request(from device: JSONObject, nonce: String? = nil) throws -> JSONObject {
        var request: JSONObject = [
            "identityToken": try Self.part("identity_token", of: device),
            "authorizationCode": try Self.part("authorization_code", of: device),
        ]
        request["nonce"] = nonce.map { .string($0) }
        if let name = device["full_name"]?.objectValue {
            var fullName = JSONObject()
            fullName["givenName"] = name["given_name"]
            fullName["familyName"] = name["family_name"]
            request["fullName"] = .object(fullName)
        }
        return request
    }

    private static func part(_ name: String, of device: JSONObject) throws -> JSONValue {
        guard let part = device[name] else { throw HarnessError("the device has no \(name)") }
        return part
    }

    /// Sends a request that must succeed.
    ///
    /// - Throws: ``HarnessError`` with the whole response if it is not a success.
    @discardableResult
    func require(
        _ method: String,
        _ path: String,
        _ object: JSONObject? = nil
    ) async throws -> JSONObject {
        let answer = try await send(method, path, object)
        guard (200..<300).contains(answer.status) else {
            throw HarnessError("\(method) \(path) answered \(answer.status): \(answer.text)")
        }
        return answer.object
    }
}
