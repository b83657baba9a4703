import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

@testable import SignInKit
@testable import SignInKitUI

@Suite("The texts of the server's error codes", AppWorld.lending) struct CodeTextTests {
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    /// What the ready views call.
    private static let calls = [
        "/api/nonces": ["post"], "/api/sign-in-methods": ["get"], "/api/accounts": ["post"],
        "/api/sessions/apple": ["post"], "/api/sessions/password": ["post"],
        "/api/sessions/code": ["post"], "/api/sessions": ["get", "delete"],
        "/api/sessions/{id}": ["delete"], "/api/account": ["get", "patch", "delete"],
        "/api/account/password": ["put"], "/api/account/email": ["put"],
        "/api/account/apple": ["put", "delete"], "/api/email-verifications": ["delete"],
        "/api/password-resets": ["post"],
    ]

    @Test("Each code that a call of the ready views can get has a text")
    func complete() async throws {
        let texts = try catalogue()
        var codeCount = 0
        for (path, methods) in Self.calls {
            for method in methods {
                let responses = try await responses(method, path)
                for (status, codes) in responses where status >= 400 {
                    codeCount += codes.count
                    for code in codes {
                        let key = SignInKitError.key(of: error(status, code).code)
                        #expect(texts.contains(key), "\(method) \(path): \(status) \(code)")
                    }
                }
            }
        }
        #expect(codeCount > 150)
    }

    private func error(_ status: Int, _ code: String) -> SignInKitError {
        let body = Data(#"{"code": "\#(code)"}"#.utf8)
        let problem = ServerProblem(ServerAnswer(status: status, body: body))
        let isUnavailable = status == 408 || status == 429 || status >= 500
        return SignInKitError(isUnavailable ? .unavailable(problem) : .refused(problem))
    }

    /// The codes of a route by status, as its description lists them.
    private func responses(_ method: String, _ path: String) async throws -> [(Int, [String])] {
        let answer = try await world.transport.browse(.get, "/openapi.json", headers: [:])
        let document = try JSONObject(parsing: Data(answer.body.readableBytesView))
        let route = document["paths"]?.objectValue?[path]?.objectValue?[method]?.objectValue
        let responses = try #require(route?["responses"]?.objectValue, "\(method) \(path)")
        return responses.members.map { member in
            let text = member.value.objectValue?["description"]?.stringValue ?? ""
            let parts = text.split(separator: "`", omittingEmptySubsequences: false)
            return (
                Int(member.name) ?? 0,
                parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
            )
        }
    }

    private func catalogue() throws -> Set<String> {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/App/SignInKitUI/Resources/Localizable.xcstrings"
        )
        let object = try JSONObject(parsing: Data(contentsOf: file.standardized))
        let strings = try #require(object["strings"]?.objectValue)
        return Set(strings.members.map(\.name))
    }
}
