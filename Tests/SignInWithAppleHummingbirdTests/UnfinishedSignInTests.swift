import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import SignInWithApple
import SignInWithAppleHummingbird
import TestSupport
import Testing

@Suite("A sign-in that the developer's function could not finish", Ledger.lending)
struct UnfinishedSignInTests {
    private let (ledger, world, replica): (Ledger, HelloWorld, HelloWorld)
    init() throws { (ledger, world, replica) = try Ledger.lending.value }

    private static let maya = PersonName(givenName: "Maya", familyName: "Lindgren")

    private func native(_ credential: TestCredential, name: PersonName? = maya) -> JSONObject {
        HelloWorld.request(credential, name: name)
    }

    private func tokenStatuses(_ apple: TestApple) async -> [Int] {
        await apple.emulator.requests()
            .filter { $0["path"]?.stringValue == ApplePath.token }
            .compactMap { $0["status"]?.integerValue }
    }

    @Test("is finished by the same request of a browser, on any replica, with name and tokens")
    func web() async throws {
        await ledger.fail(with: Ledger.Failure())
        let (form, cookie) = try await world.callback()
        let failed = try await world.post(form.formBody, cookie: cookie)
        #expect(failed.status == .serviceUnavailable)
        #expect(failed.headers[.retryAfter] != nil)
        #expect(failed.text.contains("<code>sign_in_unfinished</code>"))
        #expect(failed.text.contains(">Try again</button>"))

        await ledger.fail(with: nil)
        let kept = HelloWorld.cookies(in: failed)
        let again = try await replica.post(form.formBody, cookie: "\(cookie); \(kept)")
        #expect(again.status == .seeOther)
        let signIn = try #require(await ledger.signIns.first)
        #expect(signIn.name == Self.maya)
        #expect(signIn.grant?.refreshToken?.isEmpty == false)
        #expect(await tokenStatuses(world.apple) == [200])
        let cleared = again.headers[values: .setCookie].filter { $0.contains("Max-Age=0") }
        #expect(cleared.count == 3)
    }

    @Test("is finished by the same request of an app, on any replica, with name and tokens")
    func app() async throws {
        await ledger.fail(with: Ledger.Failure())
        let request = native(try await world.apple.credentials())
        let failed = try await world.signIn(request)
        #expect(failed.status == .serviceUnavailable)
        #expect(failed.json?["code"] == "sign_in_unfinished")
        await ledger.fail(with: nil)
        let again = try await replica.signIn(request, cookie: HelloWorld.cookies(in: failed))
        #expect(again.status == .created)
        let signIn = try #require(await ledger.signIns.first)
        #expect(signIn.name == Self.maya)
        #expect(signIn.grant?.refreshToken?.isEmpty == false)
        #expect(await tokenStatuses(world.apple) == [200])
    }

    @Test("leaves the name for the user's next sign-in, and for no other user's")
    func nextSignIn() async throws {
        _ = try await world.apple.credentials(for: "noah@example.com")
        await ledger.fail(with: Ledger.Failure())
        let (form, cookie) = try await world.callback()
        let failed = try await world.post(form.formBody, cookie: cookie)
        await ledger.fail(with: nil)
        let kept = HelloWorld.cookies(in: failed)

        let noah = try await world.apple.credentials(for: "noah@example.com")
        let other = try await world.signIn(native(noah, name: nil), cookie: kept)
        #expect(other.status == .created)
        let (next, nextCookie) = try await world.callback(cookie: kept)
        #expect(next["user"] == nil)
        let answer = try await world.post(next.formBody, cookie: "\(nextCookie); \(kept)")
        #expect(answer.status == .seeOther)
        #expect(await ledger.signIns.map(\.name) == [nil, Self.maya])
    }

    @Test("leaves the name for a server with a new team key, because the sealing key is the same")
    func newTeamKey() async throws {
        await ledger.fail(with: Ledger.Failure())
        let (form, cookie) = try await world.callback()
        let kept = HelloWorld.cookies(in: try await world.post(form.formBody, cookie: cookie))
        let credential = try await world.apple.credentials()
        let failed = try await world.signIn(native(credential))
        await ledger.fail(with: nil)

        let made = try await world.apple.emulator.add(
            .key,
            ["team_id": "JUICETEAM1", "key_id": "NEWKEY0001"]
        )
        .object
        var configuration = try world.apple.signInConfiguration()
        configuration.key = try ClientSecretKey(
            pem: try #require(made["private_key_pem"]?.stringValue),
            keyID: "NEWKEY0001",
            teamID: "JUICETEAM1"
        )
        let apple = AppleSignIn(
            configuration: configuration,
            transport: world.apple.transport,
            time: world.apple.time.source
        )
        try await Application(router: ledger.router(apple: apple)).test(.router) { client in
            let renewed = HelloWorld(apple: world.apple, client: client)
            let (next, nextCookie) = try await renewed.callback(cookie: kept)
            _ = try await renewed.post(next.formBody, cookie: "\(nextCookie); \(kept)")
            var again = native(credential, name: nil)
            again["resumeToken"] = failed.json?["resumeToken"]
            #expect(try await renewed.signIn(again).status == .created)
        }
        #expect(await ledger.signIns.map(\.name) == [Self.maya, Self.maya])
    }

    @Test("because its code is no longer valid, leaves the name too")
    func codeSpent() async throws {
        let (form, cookie) = try await world.callback()
        world.apple.advance(by: .seconds(400))
        let refused = try await world.post(form.formBody, cookie: cookie)
        #expect(refused.status == .unauthorized)
        #expect(refused.text.contains("apple_refused_grant"))
        let kept = HelloWorld.cookies(in: refused)
        let (next, nextCookie) = try await world.callback(cookie: kept)
        _ = try await world.post(next.formBody, cookie: "\(nextCookie); \(kept)")
        #expect(await ledger.signIns.map(\.name) == [Self.maya])
    }

    @Test("shows nothing of its tokens or name to the client") func sealed() async throws {
        await ledger.fail(with: Ledger.Failure())
        let credential = try await world.apple.credentials()
        let failed = try await world.signIn(native(credential))
        let fields = failed.headers[values: .setCookie]
        #expect(fields.count == 2)
        #expect(fields.allSatisfy { $0.hasSuffix("; Secure; HttpOnly; SameSite=None") })
        #expect(fields.allSatisfy { $0.hasPrefix("__Host-siwa-") && $0.utf8.count <= 4096 })
        let decoded = fields.compactMap { field in
            field.split(separator: ".").last?.split(separator: ";").first
                .flatMap { Data(base64Encoded: Self.padded(String($0))) }
        }
        #expect(decoded.count == 2)
        for data in decoded {
            let text = String(decoding: data, as: UTF8.self)
            // The beginning of a token's header; three letters of it occur in encrypted text by chance.
            #expect(!text.contains("Lindgren") && !text.contains(/eyJ(raWQi|hbGci)/))
        }
    }

    @Test("cannot be repeated with altered cookies, those of another code, or after ten minutes")
    func mismatchedCookies() async throws {
        await ledger.fail(with: Ledger.Failure())
        let first = try await world.apple.credentials()
        let failed = try await world.signIn(native(first))
        let kept = HelloWorld.cookies(in: failed)
        await ledger.fail(with: nil)
        let altered = kept.replacing(/.(?=;|$)/) { $0.output == "A" ? "B" : "A" }
        for cookie in [nil, altered] {
            let refused = try await world.signIn(native(first), cookie: cookie)
            #expect(refused.json?["code"] == "apple_refused_grant")
        }
        let second = try await world.apple.credentials()
        _ = try await world.signIn(native(second), cookie: kept)
        #expect(await tokenStatuses(world.apple) == [200, 400, 400, 200])
        world.apple.time.advance(bySeconds: 601)
        let late = try await world.signIn(native(first), cookie: kept)
        #expect(late.status == .unauthorized)
        #expect(await ledger.signIns.count == 1)
    }

    /// An error whose response is text, as Vapor's errors are in the example.
    private struct PlainError: HTTPResponseError {
        let status = HTTPResponse.Status.conflict

        func response(from request: Request, context: some RequestContext) -> Response {
            let body = ResponseBody(byteBuffer: ByteBuffer(string: "one \"account\" only"))
            let headers: HTTPFields = [.contentType: "text/plain", .contentLength: "18"]
            return Response(status: status, headers: headers, body: body)
        }
    }

    /// An error type of the developer's own.
    private struct OwnRefusal: RefusalError {
        enum Code: String, CustomStringConvertible {
            case membersOnly = "members_only"

            var description: String { rawValue }
        }

        let code = Code.membersOnly
        let status = HTTPResponse.Status.forbidden
        let message = "Only for members of Juice."
        let hint = "the account is not a member"
        let parameters = ["club": "Juice"]
    }

    @Test("passes on an error type of the developer's own with its parameters")
    func ownType() throws {
        let refusal = try #require(RefusedSignIn(any: OwnRefusal()))
        #expect(refusal.code.rawValue == "members_only" && refusal.parameters == ["club": "Juice"])
        #expect(!refusal.isRetryable && refusal.retryAfter == nil)
    }

    @Test("keeps the status and the message of the developer's error, and resumes with its token")
    func ownAnswer() async throws {
        for (error, status, message) in [
            (HTTPError(.forbidden, message: "not on the list"), 403, "not on the list"),
            (PlainError(), 409, #"one \"account\" only"#), (OwnRefusal(), 403, "members of Juice"),
            (
                RefusedSignIn(
                    code: .init(rawValue: "blocked"),
                    status: .tooManyRequests,
                    message: "Come back later.",
                    hint: ""
                ), 429,
                "Come back"
            ),
        ] as [(any Error, Int, String)] {
            await ledger.fail(with: error)
            let credential = try await world.apple.credentials()
            let answer = try await world.signIn(native(credential))
            #expect(answer.status.code == status)
            #expect(answer.text.contains(message))
            #expect(answer.headers[values: .setCookie].count == 2)
            #expect(
                answer.headers[.contentLength].map { Int($0) == answer.body.readableBytes } != false
            )
            await ledger.fail(with: nil)
            var again = native(credential, name: nil)
            again["resumeToken"] = try #require(answer.json?["resumeToken"])
            #expect(try await replica.signIn(again).status == .created)
            #expect(await ledger.signIns.last?.name == Self.maya)
        }
    }

    @Test("resumes after a response that the developer's functions returned")
    func returnedAnswer() async throws {
        let router = try Router()
            .signInWithApple(
                world.apple.signIn(),
                native: NativeEndpoint(appIDs: ["com.example.juice"]),
                onRefusal: { _, _, _ in Response(status: .badGateway) },
                onSignIn: { signIn, _ in
                    guard signIn.name != nil else { throw Ledger.Failure() }
                    return .response(SignInResponse(status: .conflict))
                }
            )
        try await Application(router: router).test(.router) { client in
            let world = HelloWorld(apple: world.apple, client: client)
            let credential = try await world.apple.credentials()
            let returned = try await world.signIn(native(credential))
            #expect(returned.status == .conflict)
            #expect(returned.json?["code"] == "sign_in_unfinished")
            #expect(returned.json?["status"] == 409)
            let refused = try await world.signIn(
                native(try await world.apple.credentials(), name: nil)
            )
            #expect(refused.status == .badGateway)
            for answer in [returned, refused] {
                #expect(answer.json?["resumeToken"]?.stringValue?.isEmpty == false)
                #expect(answer.headers[.contentType]?.hasPrefix("application/problem+json") == true)
            }
        }
    }

    private static func padded(_ text: String) -> String {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        return standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
    }
}
